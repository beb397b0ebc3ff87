// Mail. No provider comes with the app: under `npm run dev` mails are printed. Elsewhere, connect yours here.

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

/** The links in mails are secrets, which the log of a server must not have. */
export const sendMail: SendMail = async ({ to, subject, text }) => {
  if (process.env.NODE_ENV !== 'development')
    throw new Error('no provider of mail is connected in src/mail.ts');
  console.log(`\nMail to ${to}: ${subject}\n\n${text}\n`);
};
