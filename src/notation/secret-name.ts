/** Whether a name says itself that it names a secret: `password`, `api_key`, `bot_token`. */
export const isSecretName = (name: string): boolean =>
  /passw(?:or)?d|passphrase|secret|token|credential|api[_-]?key|(?:^|[\s_-])key$/i.test(name);
