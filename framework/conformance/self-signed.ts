// A certificate for tests of servers with TLS.

/** For localhost, made for tests only and valid for a century. */
export const selfSigned: { readonly key: string; readonly cert: string } = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQxjDOkQ0Rkck30/H
3v2ddZd3TL8mK2LesCifCoB8GxuhRANCAAR15OxvKeCLzwWy7qTuv+QBr4Fdh23h
yQH167CEz5wGNKP7SEEn22neK/8bs6slXDpzbkklB0518zQzDq6isBTo
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUBYVZh/bpBop3IeR6RkJZ6mJ0ZpAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMDE4NDYwOFoYDzIxMjYxMDI3
MTg0NjA4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR15OxvKeCLzwWy7qTuv+QBr4Fdh23hyQH167CEz5wGNKP7SEEn22ne
K/8bs6slXDpzbkklB0518zQzDq6isBToo1MwUTAdBgNVHQ4EFgQUiC6EBAAosdjH
ksSerpzB0jSwKWQwHwYDVR0jBBgwFoAUiC6EBAAosdjHksSerpzB0jSwKWQwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiB6eLME535xDoBJViLgnMgw
aut0UxzMe3IXOw5aRpmzygIgc/SbJrvzRH9fQR5QFATGGgb58zGfkXvWdF3s5lAm
ugo=
-----END CERTIFICATE-----`,
};
