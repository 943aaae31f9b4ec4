/** Secrets that must not be logged: by field name, and inside texts. */

const NAME =
  /^(?:.*token|.*password|.*passwd|.*secret|authorization|proxy-authorization|(?:set-)?cookie|.*api[-_]?key|.*private[-_]?key|x-site-user|credentials?)$/i;

/** True for a field whose value is a secret. */
export function isSecretName(name: string): boolean {
  return NAME.test(name);
}

const HIDDEN = "[redacted]";
const USER_INFO = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#@]+@/gi;
// On one line, as in a header: a message may contain "Unexpected token" before a path.
const AUTHORIZATION =
  /(\bauthorization"?[ \t]*[=:][ \t]*"?)?\b(bearer|basic|token)[ \t]+([\w.~+/=-]{8,})/gi;
const PARAMETER =
  /([?&;\s"'{,]|^)((?:[\w-]*(?:token|secret|password|signature|api[-_]?key)|code|state))("?\s*[=:]\s*"?)([^\s&;"',}]+)/gi;
/** The path of a link that works once, as in a mail that resets a password. */
const ONE_TIME = /\bonce_[0-9A-Za-z]+_[\w-]{43}/g;
/** Names that sentences contain too: `Unexpected token: }`, `exit code: 1`. */
const SPOKEN_NAME = /^(?:token|signature|code|state)$/i;
/** The word after the name in a sentence: `basic authentication`, `password: expected a string`. */
const SPOKEN_WORD =
  /^(?:authenti\w+|authoriz\w+|credentials?|expected|required|received|missing)$/i;
const PATH = /^\.{0,2}\/|\.[a-z]{1,4}(?::\d+)*$/i;
/** An error code, an exit code or an HTTP status. */
const PLAIN_CODE = /^(?:E[A-Z]{2,20}|ERR_[A-Z_]+|\d{1,3})$/;

/**
 * The text without credentials in addresses (`https://user:pass@host`), authorization values, tokens of
 * links that work once (`once_…`) and values of parameters with a secret's name. Keeps paths and words
 * of messages. Texts without any such pattern cost a few searches.
 */
export function withoutSecrets(logged: string): string {
  const text = logged.includes("once_") ? logged.replace(ONE_TIME, HIDDEN) : logged;
  const hasValues = text.includes("=") || text.includes(":");
  if (!hasValues && !/bearer|basic|token/i.test(text)) return text;
  const plain = text.includes("://") ? text.replace(USER_INFO, `$1${HIDDEN}@`) : text;
  const bare = plain.replace(AUTHORIZATION, hideCredential);
  return hasValues ? bare.replace(PARAMETER, hideParameter) : bare;
}

function hideCredential(all: string, header = "", scheme: string, value: string): string {
  const isSpoken = scheme.toLowerCase() === "token" ? !isRandom(value) : SPOKEN_WORD.test(value);
  return header === "" && isSpoken ? all : `${header}${scheme} ${HIDDEN}`;
}

// oxlint-disable-next-line max-params -- the signature of a replacer
function hideParameter(
  all: string,
  before: string,
  name: string,
  separator: string,
  value: string,
  at: number,
  text: string,
): string {
  if (/^(?:code|state)$/i.test(name) && PLAIN_CODE.test(value)) return all;
  const isSentence = separator.trimStart().startsWith(":");
  const follows = isSentence && SPOKEN_NAME.test(name) && !beginsLine(text, at, name);
  const isSpoken = follows ? !isRandom(value) : isSentence && SPOKEN_WORD.test(value);
  return isSpoken ? all : `${before}${name}${separator}${HIDDEN}`;
}

/** True for `token: …` as in a line of a YAML file; a code or state there is not a secret. */
function beginsLine(text: string, at: number, name: string): boolean {
  if (/^(?:code|state)$/i.test(name)) return false;
  return !/[a-z] $/i.test(text.slice(Math.max(0, at - 1), at + 1));
}

/** True for text that looks random; false for a word, an identifier or a path. */
function isRandom(value: string): boolean {
  if (value.length < 8 || PATH.test(value)) return false;
  return /\d/.test(value) || (value.match(/[a-z][A-Z]/g) ?? []).length >= 3;
}
