/** Error codes of mail, with what they mean and what mends them. */
export const emailErrors = {
  ERR_EMAIL_ADDRESS:
    "An address is not one plain ASCII address of at most 254 characters: write international domains in punycode.",
  ERR_EMAIL_FROM: "`email.from` is neither an address nor `Name <address>`.",
  ERR_EMAIL_REFUSED:
    "The mail server or API refuses the mail or the login for good: check `email` in the config.",
  ERR_EMAIL_UNSENT: "The mail server or API did not take the mail this time: it is tried again.",
  ERR_EMAIL_TEMPLATE:
    "No template has this name: a theme's `emails/` folder or a plugin must bring it.",
} as const;
