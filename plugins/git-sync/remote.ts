/** The address of a remote: what is allowed, and its credentials apart from it. */
import { decodeAddress } from "#lib/urls";

/** A remote that git may be called with. */
export interface Remote {
  /** Without credentials. */
  readonly url: string;
  /** Variables that carry the credentials, which neither arguments nor files show. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes the credentials and the address from a text. */
  redact(text: string): string;
}

const SCP = /^(?:\w[\w.-]*@)?[A-Za-z\d][A-Za-z\d.-]*:(?![:/-])[^\s\p{Cc}]+$/u;
const HOST = /^(?:[A-Za-z\d][A-Za-z\d.-]*|\[[\da-f:.]+\])$/i;

/** The problem of a remote's address; null: it has none. */
export function remoteIssue(text: string): string | null {
  if (/[\s\p{Cc}]/u.test(text)) return "an address without spaces";
  if (/^\/[^/]/.test(text) || SCP.test(text)) return null;
  return urlIssue(URL.canParse(text) ? new URL(text) : null);
}

function urlIssue(url: URL | null): string | null {
  if (url === null) return "https://host/path.git, ssh://git@host/path.git or git@host:path.git";
  if (!["https:", "http:", "ssh:", "file:"].includes(url.protocol)) {
    return "an address of https, http, ssh or file";
  }
  if (url.pathname.length < 2) return "an address with the path of a repository";
  if (url.protocol === "file:") return url.host === "" ? null : "a file address without host";
  if (!HOST.test(url.hostname)) return "an address with a plain host name";
  return url.protocol === "ssh:" ? sshIssue(url) : null;
}

function sshIssue({ username, password }: URL): string | null {
  if (password !== "") return "an ssh address without a password; use a key";
  return username === "" || /^\w[\w.-]*$/.test(username) ? null : "a plain user name";
}

/** The remote at an address that has no issue. */
export function toRemote(text: string): Remote {
  const url = /^https?:\/\//i.test(text) ? new URL(text) : null;
  if (url === null || (url.username === "" && url.password === "")) {
    return { url: text, env: {}, redact: redactor([text]) };
  }
  const [user, password] = [url.username, url.password].map(decodeAddress);
  url.username = "";
  url.password = "";
  const basic = Buffer.from(`${user}:${password}`).toString("base64");
  return {
    url: url.href,
    env: {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `http.${url.origin}/.extraHeader`,
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
    },
    redact: redactor([text, url.href, url.href.replace(/\/$/, ""), basic, password, user]),
  };
}

function redactor(secrets: readonly (string | undefined)[]): Remote["redact"] {
  const hidden = secrets.filter((secret) => secret !== undefined && secret.length > 3);
  return (text) =>
    hidden
      .reduce<string>((shown, secret) => shown.replaceAll(secret ?? "", "[remote]"), text)
      .replace(/\b(https?:\/\/)[^\s/@]+@/g, "$1");
}

/** True when two addresses name the same repository. */
export function isSameRemote(a: string, b: string): boolean {
  const plain = (text: string): string =>
    (remoteIssue(text) === null ? toRemote(text).url : text)
      .replace(/^file:\/\//, "")
      .replace(/(?<!\/)\/+$/, "")
      .replace(/\.git$/, "");
  return plain(a) === plain(b);
}
