/** A file that comes with an e-mail. `type`: its media type. */
export type Attachment = { name: string; type: string; bytes: Uint8Array };

/** An e-mail's words: subject, plain text and HTML of the same content. */
export type MailText = { subject: string; text: string; html: string; attachment?: Attachment };
