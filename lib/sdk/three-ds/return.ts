/** The script of the page to which issuers return: it notifies the frame around it, if that is Forewarn's, and no other. */
if (parent !== self) parent.postMessage({ forewarn: '3ds', signal: 'returned' }, location.origin);
