/** The script of the page to which issuers come back: it tells the frame around it, if that is ours, and nobody else. */
if (parent !== self) parent.postMessage({ forewarn: '3ds', signal: 'returned' }, location.origin);
