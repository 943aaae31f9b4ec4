/** Redirects of the host of a site: `_redirects`, `netlify.toml`, `vercel.json`, `firebase.json`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import type { ImportItem, NotImported } from "../../contract.js";
import { readConfigFile } from "../source-files.js";
import { unreadKeys } from "./beside-content.js";
import { parseJsonMap, parseTomlMap, text } from "./front-matter.js";

/** A redirect as a host writes it. */
export interface HostRule {
  readonly from: string;
  readonly to: string;
  /** Statuses of 300 to 399 are redirects; null when the rule names none. */
  readonly status: number | null;
  /** True: it applies only to some visitors or parameters. */
  readonly isConditional: boolean;
}

/** Where hosts read their files: at the top, in the folder of the site, and in the folder that is published. */
const FILE =
  /^(?:(?:website|docs|site|src|www|web)\/)?(?:(?:static|public|assets|\.vuepress\/public)\/)?(?:_redirects|netlify\.toml|vercel\.json|now\.json|firebase\.json)$/;

/** True for a file in which a host has its redirects. */
export function isHostFile(path: string): boolean {
  return FILE.test(path);
}

/** The redirects of the host, and a line for what has no counterpart: a rule, a setting, a file that cannot be read. `paths`: the files of the source. */
export async function hostRedirects(
  root: string,
  paths: readonly string[],
  hosts: readonly string[],
): Promise<ImportItem[]> {
  const items: ImportItem[] = [];
  for (const file of paths.filter(isHostFile)) {
    const source = await readConfigFile(root, file);
    const { rules, lost } = readHostFile(file, source);
    items.push(...rules.map((rule) => redirectItem(rule, file, hosts)), ...lost);
  }
  return items;
}

/** The rules of a file, and what else it has. */
interface HostFile {
  readonly rules: readonly HostRule[];
  readonly lost: readonly NotImported[];
}

function readHostFile(file: string, source: string): HostFile {
  const name = posix.basename(file);
  if (name === "_redirects") return readLines(file, source);
  const parsed = name === "netlify.toml" ? parseTomlMap(source) : parseJsonMap(source);
  if ("issue" in parsed) {
    const reason = `${parsed.issue}; its redirects were not read`;
    return { rules: [], lost: [{ kind: "notImported", origin: { file }, reason }] };
  }
  const { data } = parsed;
  if (name !== "firebase.json") {
    const toRule = name === "netlify.toml" ? netlifyRule : vercelRule;
    const lost = unreadKeys({ file, data, read: ["redirects", "$schema"] });
    return { rules: maps(data["redirects"]).map(toRule), lost };
  }
  const { hosting, ...others } = data;
  const sites = maps(Array.isArray(hosting) ? hosting : [hosting]);
  const read = ["redirects", "target", "site", "public", "ignore"];
  return {
    rules: sites.flatMap(({ redirects }) => maps(redirects).map(firebaseRule)),
    lost: [
      ...sites.flatMap((site) => unreadKeys({ file, data: site, read })),
      ...unreadKeys({ file, data: others, read: ["$schema"] }),
    ],
  };
}

function maps(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Lines such as `/old/* [id=:id] /new/:splat 301! Country=de`. */
function readLines(file: string, source: string): HostFile {
  const rules: HostRule[] = [];
  const lost: NotImported[] = [];
  for (const [at, line] of source.split("\n").entries()) {
    const written = line.replace(/(?:^|\s)#.*$/, "").trim();
    if (written === "") continue;
    const rule = parseLine(written);
    const reason = `the rule ${JSON.stringify(written)} has no target, and was left out`;
    if (rule !== null) rules.push(rule);
    else lost.push({ kind: "notImported", origin: { file, line: at + 1 }, reason });
  }
  return { rules, lost };
}

/** `/old=/new`, as sites of Nuxt write the rules that their configuration reads. */
const PAIR = /^(\/[^\s=]*)=((?:\/|https?:\/\/)\S*)$/;

function parseLine(line: string): HostRule | null {
  const [pair, first = "", second = ""] = PAIR.exec(line) ?? [];
  if (pair !== undefined) return { from: first, to: second, status: null, isConditional: false };
  const [from = "", ...rest] = line.split(/\s+/);
  const at = rest.findIndex((word) => /^(?:\/|https?:\/\/)/.test(word));
  const to = rest[at];
  if (to === undefined) return null;
  const after = rest.slice(at + 1);
  const status = after
    .map((word) => /^(\d{3})!?$/.exec(word)?.[1])
    .find((one) => one !== undefined);
  const isConditional = at > 0 || after.some((word) => word.includes("="));
  return { from, to, status: status === undefined ? null : Number(status), isConditional };
}

function netlifyRule(rule: Readonly<Record<string, unknown>>): HostRule {
  return {
    from: text(rule["from"]) ?? "",
    to: text(rule["to"]) ?? "",
    status: statusOf(rule["status"]),
    isConditional: rule["conditions"] !== undefined || rule["query"] !== undefined,
  };
}

function vercelRule(rule: Readonly<Record<string, unknown>>): HostRule {
  return {
    from: (text(rule["source"]) ?? "").replace(/\/\?$/, ""),
    to: text(rule["destination"]) ?? "",
    status: statusOf(rule["statusCode"]),
    isConditional: rule["has"] !== undefined || rule["missing"] !== undefined,
  };
}

/** Its `**` is what others write as `*`. */
function firebaseRule(rule: Readonly<Record<string, unknown>>): HostRule {
  const from = text(rule["source"]) ?? text(rule["regex"]) ?? "";
  return {
    from: from.replace(/\/\*\*$/, "/*").replace(/\{,\/\*\}$/, "/*"),
    to: text(rule["destination"]) ?? "",
    status: statusOf(rule["type"]),
    isConditional: rule["regex"] !== undefined,
  };
}

function statusOf(value: unknown): number | null {
  const status = Number(value);
  return Number.isInteger(status) && status > 0 ? status : null;
}

function redirectItem(rule: HostRule, file: string, hosts: readonly string[]): ImportItem {
  const origin = { file };
  const lost = (why: string): ImportItem => ({
    kind: "notImported",
    origin,
    reason: `the rule of the host from ${rule.from} to ${rule.to} ${why}`,
    group: `rules of the host that have no counterpart`,
  });
  if (rule.isConditional) return lost("depends on the visitor or on parameters, and was left out");
  if (rule.status !== null && (rule.status < 300 || rule.status > 399))
    return lost(`is not a redirect (status ${rule.status}), and was left out`);
  const own = ownPath(rule.from, hosts);
  // On a host, such a rule applies only where there is no page; here it would match every address.
  if (own === "/*") return lost("has no counterpart, as it catches every address");
  const plain = own === null ? null : plainRule(own, rule.to);
  if (plain === null) return lost("has a pattern without a counterpart, and was left out");
  return { kind: "redirect", origin, ...plain };
}

/** The path of an address on the own site; null for another host. */
function ownPath(from: string, hosts: readonly string[]): string | null {
  if (from.startsWith("/")) return from;
  if (!URL.canParse(from)) return null;
  const url = new URL(from);
  return hosts.includes(url.hostname) ? url.pathname : null;
}

/** The end of a pattern: a star, `:name`, `:name*`, `(.*)`; what follows stands for it in the target. */
const END = /\/(?:\*|:(\w+)[*+]?|:(\w+)\(\.\*\)|\(\.\*\)|\*\*)$/;
const PATTERN = /[*(){}[\]|^\\]|\/:\w/;

/**
 * A rule with a pattern at its end as one of site.yaml, `/old/*` to `/new/:splat`; null when its pattern is elsewhere.
 */
export function plainRule(from: string, to: string): { from: string; to: string } | null {
  const [end, name = "", other = ""] = END.exec(from) ?? [];
  const start = end === undefined ? from : from.slice(0, -end.length);
  if (PATTERN.test(start)) return null;
  const marks = [name, other].filter((one) => one !== "").map((one) => `:${one}`);
  const target = [...marks, ":splat", "$1"].reduce(
    (result, mark) => result.replace(new RegExp(`${escaped(mark)}(?!\\w)[*+]?`), ":splat"),
    to,
  );
  if (/\/:(?!splat\b)\w|\$\d/.test(target)) return null;
  if (end === undefined) return target.includes(":splat") ? null : { from: start, to: target };
  return { from: `${start}/*`, to: target };
}

function escaped(mark: string): string {
  return mark.replaceAll(/[$:]/g, "\\$&");
}
