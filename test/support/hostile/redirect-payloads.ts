/**
 * Redirect targets that leave the site, composed of parts known to mislead checks: ways to start an
 * address, to write a host, to end it, and to disguise the whole.
 */
export function redirectPayloads(host: string): readonly string[] {
  const hosts = hostForms(host);
  const plain = BEGINNINGS.flatMap((beginning) => hosts.map((form) => beginning + form));
  const ended = ENDS.flatMap((end) => BEGINNINGS.map((beginning) => beginning + host + end));
  const scripts = SCHEMES.flatMap((scheme) => DISGUISES.map((disguise) => disguise(scheme)));
  const all = [...plain, ...ended, ...split(host), ...scripts, ...TRICKS];
  return [...new Set([...all, ...all.map(encodedOnce), ...all.map(encodedTwice)])];
}

/** Before the host. */
const BEGINNINGS = [
  "//",
  "///",
  "////",
  "/\\",
  "\\/",
  "\\\\",
  "/\\/",
  "//\\",
  "\\",
  "http://",
  "https://",
  "HTTPS://",
  "http:",
  "https:",
  "https:/",
  "http:\\\\",
  "https:///",
  "ftp://",
  "ws://",
  "/./",
  "/.//",
  "/..//",
  "/../",
  "/x/..//",
  "/%2e%2e//",
  "/.\\",
  "/;//",
  "//user@",
  "//user:pass@",
  "//site.example@",
  "https://site.example@",
  "https://site.example:80@",
  "/\t/",
  "/\n/",
  "/\r/",
  "/\r\n/",
  "\t//",
  "\n//",
  " //",
  "\u0000//",
  "\u0001//",
  "\u00a0//",
  "\u2028//",
  "\ufeff//",
  "//\t",
  "/\u0009\u000a/",
  "ht\ntps://",
  "h\ttp://",
  "@",
  "?",
  "#",
  "",
  ".",
];

/** After the host. */
const ENDS = [
  "/",
  "/%2f..",
  "/..",
  "?site.example",
  "#site.example",
  "\\site.example",
  "/site.example",
  "@site.example",
  ":80",
  ":443/",
  ".",
  "%00.site.example",
  "%23.site.example",
  "%0d%0aSet-Cookie:a=b",
  "\r\nSet-Cookie: a=b",
];

const SCHEMES = [
  "javascript:alert(1)",
  "javascript://site.example/%0aalert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "blob:https://site.example/x",
  "about:blank",
  "mailto:a@b.c",
  "view-source:https://site.example",
];

const DISGUISES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => ` ${text}`,
  (text) => `\t${text}`,
  (text) => `\u0001${text}`,
  (text) => text.replace(":", "\n:"),
  (text) => text.slice(0, 2) + "\t" + text.slice(2),
  (text) => `/${text}`,
  (text) => `//${text}`,
];

const TRICKS = [
  "https:site.example",
  "//",
  "///",
  "/\\",
  "\\",
  "/%5c%5c",
  "/%09/",
  "//[::1]/",
  "//2130706433/",
  "//0x7f000001/",
  "//017700000001/",
  "//127.1/",
  "//169.254.169.254/",
  "//localhost/",
  "https://[::ffff:127.0.0.1]/",
  "x".repeat(3_000),
  `/${"x".repeat(3_000)}`,
  `//${"x".repeat(3_000)}`,
];

/** Spellings of one host that browsers treat as the same, or that look like it. */
function hostForms(host: string): string[] {
  const [name = "", zone = ""] = host.split(".");
  return [
    host,
    host.toUpperCase(),
    `${host}.`,
    `${name}\u3002${zone}`,
    `${name}\uff0e${zone}`,
    `${name}\uff61${zone}`,
    `${name}%2e${zone}`,
    `${name}%E3%80%82${zone}`,
    `${name.replace(/[a-z]/g, fullWidth)}.${zone}`,
    `${name}\u00ad.${zone}`,
    `${name}\t.${zone}`,
    `www.${host}`,
    `site.example.${host}`,
    `site.example%2e${host}`,
    `${host}/site.example`,
  ];
}

/** A slash and a host with an invisible character at every position between and inside. */
function split(host: string): string[] {
  const target = `//${host}`;
  const places = Array.from({ length: 5 }, (_, at) => at);
  return ["\t", "\n", "\r", "\u0000", " ", "\\", "%09", "%0a", "%00", "%20", "%5c"].flatMap(
    (mark) => places.map((at) => target.slice(0, at) + mark + target.slice(at)),
  );
}

function fullWidth(letter: string): string {
  return String.fromCodePoint(letter.charCodeAt(0) + 0xfee0);
}

function encodedOnce(text: string): string {
  return text.replace(/[/\\:@?#\s]/g, (character) => encodeURIComponent(character));
}

function encodedTwice(text: string): string {
  return encodedOnce(text).replaceAll("%", "%25");
}
