// What `fw doctor` has found out about one thing.

export interface Finding {
  /** What was looked at, such as `node` or `ports`. */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** What to do; of warnings and errors. */
  readonly fix?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });

export const warning = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'warning',
  message,
  fix,
});

export const fault = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'error',
  message,
  fix,
});
