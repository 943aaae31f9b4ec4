/** What a log must not say: by the name of a field, and inside of a text. */

const NAME =
  /^(?:.*token|.*password|.*passwd|.*secret|authorization|proxy-authorization|(?:set-)?cookie|.*api[-_]?key|.*private[-_]?key|x-site-user|credentials?)$/i;

/** True for a field whose value is a secret. */
export function isSecretName(name: string): boolean {
  return NAME.test(name);
}

const HIDDEN = "[redacted]";
const BEARER = /\b(bearer|basic|token)\s+[\w.~+/=-]{8,}/gi;
const USER_INFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]+@/gi;
const PARAMETER =
  /([?&;\s"'{,]|^)((?:[\w-]*(?:token|secret|password|signature|api[-_]?key)|code|state)"?\s*[=:]\s*"?)[^\s&;"',}]+/gi;

/**
 * The text without credentials in addresses (`https://user:pass@host`), authorization values and
 * values of parameters that are named like secrets. Texts without any of their signs cost a few
 * searches.
 */
export function withoutSecrets(text: string): string {
  const hasValues = text.includes("=") || text.includes(":");
  if (!hasValues && !/bearer|basic|token/i.test(text)) return text;
  const plain = text.includes("://") ? text.replace(USER_INFO, `$1${HIDDEN}@`) : text;
  const bare = plain.replace(BEARER, `$1 ${HIDDEN}`);
  return hasValues ? bare.replace(PARAMETER, `$1$2${HIDDEN}`) : bare;
}
