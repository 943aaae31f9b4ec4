/** Checks of one site: configuration, variables, secrets, plugins and their lock, the start. */
import { isExposedUrl } from "#lib/urls";
import { childSchema, metaOf, type Schema, variableName } from "#lib/schema";
import { formatProblem, isRecord } from "#lib/values";
import { lockProblem, readInstalled, readSiteLock } from "#lib/packages";
import type { Diagnostic, Finding, LoadedSite } from "#kernel";

const FILES = ["site", "system", "admin"] as const;

/** The checks of a site that was read, but not set up. */
export function siteChecks(loaded: LoadedSite): readonly Diagnostic[] {
  return [
    { name: "configuration", run: () => configurationFindings(loaded) },
    { name: "variables", run: () => variableFindings(loaded) },
    { name: "secrets", run: () => secretFindings(loaded) },
    { name: "plugins", run: () => pluginFindings(loaded) },
    { name: "exposure", run: () => exposureFindings(loaded) },
    startCheck,
    deprecationCheck,
  ];
}

function configurationFindings({ config, files }: LoadedSite): Finding[] {
  const problems = config.problems.map((problem): Finding => ({
    level: "error",
    seen: formatProblem(problem),
    fix: problem.fix,
  }));
  const warnings = config.warnings.map((problem): Finding => ({
    level: "warning",
    seen: formatProblem(problem),
    fix: problem.fix,
  }));
  const read = files.list.length === 0 ? "no file" : files.list.join(", ");
  const ok: Finding = { level: "ok", seen: `the configuration is valid (${read})` };
  return problems.length + warnings.length > 0 ? [...problems, ...warnings] : [ok];
}

/** Variables that a value names: those that must be set are problems of the configuration already. */
function variableFindings({ files, env }: LoadedSite): Finding[] {
  const names = new Set(files.layers.flatMap(({ data }) => listVariables(data)));
  const unset = [...names].filter((name) => env.get(name) === undefined).toSorted();
  if (names.size === 0) return [];
  if (unset.length === 0) {
    return [{ level: "ok", seen: `all ${names.size} variables of the configuration are set` }];
  }
  return unset.map((name) => ({
    level: "warning",
    seen: `the configuration refers to ${name}, which is not set`,
    fix: `set ${name}, or remove the key`,
  }));
}

function listVariables(value: unknown): string[] {
  if (typeof value === "string") return [variableName(value) ?? []].flat();
  if (Array.isArray(value)) return value.flatMap(listVariables);
  return isRecord(value) ? Object.values(value).flatMap(listVariables) : [];
}

function secretFindings({ config, env }: LoadedSite): Finding[] {
  const named = FILES.flatMap((file) =>
    listSecrets(config.settings[file], config.schemas[file], file),
  );
  const fixed = ["SITE_AUTH_SECRET", "SITE_AUTHZ_HMAC_SECRET"].map((name) => [name, env.get(name)]);
  const all = [...named, ...fixed].flatMap(([name = "", secret]) =>
    secret === undefined ? [] : [secretFinding(name, secret)],
  );
  const weak = all.flatMap((finding) => finding ?? []);
  if (all.length > 0 && weak.length === 0) {
    return [{ level: "ok", seen: `${all.length} secrets are long enough` }];
  }
  return weak;
}

/** Addresses with a password are not judged: their passwords are those of other programs. */
function listSecrets(value: unknown, schema: Schema | undefined, name: string): [string, string][] {
  if (schema !== undefined && metaOf(schema).secret === true && typeof value === "string") {
    return value === "" || isAddress(value) ? [] : [[name, value]];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, at) =>
      listSecrets(item, schema && childSchema(schema, at), `${name}.${at}`),
    );
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    listSecrets(item, schema && childSchema(schema, key), `${name}.${key}`),
  );
}

/** An address, a path, or `user@host:path`. */
function isAddress(value: string): boolean {
  return value.includes("://") || value.startsWith("/") || /^[\w.-]+@[\w.-]+:/.test(value);
}

async function pluginFindings({ root, plugins }: LoadedSite): Promise<Finding[]> {
  const thirdParty = plugins.filter(({ firstParty }) => !firstParty);
  const lock = await readSiteLock(root);
  const installed = await readInstalled(root);
  const sources = thirdParty.flatMap(({ src }) =>
    src === null || !/^(?:npm|file|git)/.test(src) ? [] : src,
  );
  const drift = sources.flatMap((src): Finding[] => {
    const problem = lock === null ? null : lockProblem(lock, installed, src);
    return problem === null ? [] : [{ level: "error", seen: problem.message, fix: problem.fix }];
  });
  if (drift.length > 0) return drift;
  if (lock === null && sources.length > 0) {
    const seen = `${sources.length} packages are not pinned: there is no site.lock`;
    return [{ level: "warning", seen, fix: "run site lockfile:sync" }];
  }
  const list = thirdParty.map(({ plugin }) => `${plugin.name} ${plugin.version}`).join(", ");
  const others = list === "" ? "" : `, ${list}`;
  return [
    { level: "ok", seen: `${plugins.length - thirdParty.length} first-party plugins${others}` },
  ];
}

function exposureFindings({ settings, env }: LoadedSite): Finding[] {
  const { url } = settings.site;
  const { debug, server } = settings.system;
  const findings: Finding[] = [];
  if (isExposedUrl(url)) {
    const seen = `url is ${url}: logins and cookies travel without encryption`;
    findings.push({
      level: "error",
      seen,
      fix: "serve the site by HTTPS, and write https:// in url",
    });
  }
  if (url.startsWith("https:") && server.trust_proxy === false) {
    const seen =
      "url is https and server.trust_proxy is false: all visitors have the proxy's address";
    const fix = "set server.trust_proxy of system.yaml to the number of proxies in front";
    findings.push({ level: "warning", seen, fix });
  }
  if (debug && env.mode === "production") {
    const fix = "remove debug from system.yaml";
    findings.push({ level: "warning", seen: "debug is on in production", fix });
  }
  return findings.length > 0 ? findings : [{ level: "ok", seen: `the site is for ${url}` }];
}

/** Boots the site, for all checks that need it. */
export const startCheck: Diagnostic = {
  name: "start",
  needsSite: true,
  run: async ({ site }) => {
    const { runtime } = await site();
    const failed = runtime.plugins().filter(({ state }) => state === "failed");
    if (failed.length === 0) return [{ level: "ok", seen: "the site starts" }];
    return failed.map(({ name, error }) => ({
      level: "error",
      seen: `plugin ${name} fails: ${error ?? "the log says why"}`,
      fix: "run site serve and read its log",
    }));
  },
};

/** What a later version removes: the site still works with it. */
const deprecationCheck: Diagnostic = {
  name: "deprecations",
  needsSite: true,
  run: async ({ site }) => {
    const found = (await site()).runtime.deprecations();
    if (found.length === 0) return [{ level: "ok", seen: "no deprecated feature is used" }];
    return found.map(({ plugin, code, message, since }) => ({
      level: "warning",
      seen: `${code}: ${message} (plugin ${plugin}, since ${since})`,
      fix: "change it before the next major version of the plugin",
    }));
  },
};

/** Texts of examples. */
const EXAMPLE =
  /^(?:(?:change[-_ ]?me|my|your|secret|password|passw0rd|example|test|token|key|admin|default|\d)[-_ ]?)+$|^replace[-_ ]/i;
/** Lengths that can be guessed, and that can be tried offline, in characters. */
const GUESSED = 12;
const SHORT = 20;
const MIN_DISTINCT = 6;

/**
 * A finding about a secret that can be guessed; null for one that is long and irregular enough. The text
 * never contains the secret. `name`: the variable or the key.
 */
export function secretFinding(name: string, secret: string): Finding | null {
  const fix = `set ${name} to the output of: openssl rand -base64 48`;
  if (EXAMPLE.test(secret))
    return { level: "error", seen: `${name} is the text of an example`, fix };
  if (new Set(secret).size < MIN_DISTINCT) {
    return { level: "error", seen: `${name} repeats a few characters`, fix };
  }
  const seen = `${name} has ${secret.length} characters`;
  if (secret.length < GUESSED) return { level: "error", seen, fix };
  return secret.length < SHORT ? { level: "warning", seen, fix } : null;
}
