/** An e-mail's words: subject, plain text and HTML of the same content. */
export type MailText = { subject: string; text: string; html: string };
