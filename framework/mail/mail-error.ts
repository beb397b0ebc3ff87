// Mail: the error of a mail that was not sent.

/** Why a mail was not sent. */
export type MailErrorCode =
  /** The mail cannot be one: an address is malformed, nobody gets it, a part is missing. */
  | 'FW_MAIL_INVALID'
  /** There is nothing to send it with. */
  | 'FW_MAIL_NO_TRANSPORT'
  /** The transport did not end within the time limit. It may have sent the mail all the same. */
  | 'FW_MAIL_TIMEOUT'
  /** The transport failed, or the mail server refused recipients. */
  | 'FW_MAIL_FAILED'
  /** The mailer was closed before. */
  | 'FW_MAIL_CLOSED';

/**
 * Thrown by `send`. Its message has no text of the mail and none of the transport, which may have secrets in them; what
 * the transport threw is the `cause`.
 */
export class MailError extends Error {
  /** Stable code of the kind of failure. */
  readonly code: MailErrorCode;

  /** @internal */
  constructor(code: MailErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  static {
    MailError.prototype.name = 'MailError';
  }
}
