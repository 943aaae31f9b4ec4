/** Error codes of mail: meaning and fix. */
export const emailErrors = {
  ERR_EMAIL_ADDRESS:
    "An address is not one plain ASCII address of at most 254 characters: write international domains in punycode.",
  ERR_EMAIL_FROM: "`email.from` is neither an address nor `Name <address>`.",
  ERR_EMAIL_REFUSED:
    "The mail server or API permanently rejects the mail or the login: check `email` in the config.",
  ERR_EMAIL_UNSENT: "The mail server or API temporarily failed to accept the mail; it is retried.",
  ERR_EMAIL_TEMPLATE:
    "No template has this name: add it to the theme's `emails/` folder or through a plugin.",
} as const;
