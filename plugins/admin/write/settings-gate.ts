/**
 * The one decision about changes of the configuration through the API: which rights they need, which
 * roles they may give, and which addresses they may name. What a key needs is declared by its owner, in
 * `.meta({ … })` of its schema.
 */
import { variableName } from "#lib/schema";
import {
  type ConfigFile,
  type ConfigText,
  HttpError,
  isRecord,
  type SiteContext,
  SiteError,
} from "#kernel";
import { configValues } from "#lib/yaml";
import { z } from "zod";
import { lacking, missingRights, Roles } from "../accounts/roles.js";
import { isPermission } from "../accounts/permissions.js";
import type { AdminIdentity, CustomRole, Permission } from "../contract.js";
import { refusal } from "../errors.js";

type GatedSite = Pick<SiteContext, "configFiles" | "settings" | "use">;
type Next = (before: string) => string;

/** A change of a configuration file. */
export interface GatedChange {
  file: ConfigFile;
  identity: AdminIdentity;
  /** The new text for the current one. */
  next: Next;
  /** True: addresses are only checked. Default: they are held to public hosts from now on. */
  isDry?: boolean;
}

/** Names the version of a file that is changed. */
interface EditOptions {
  /** Digest of the version that was read; absent: any. */
  ifHash?: string;
}

/** Changes a configuration file as the sender may. @throws HttpError 400, 403, 409. */
export async function changeConfig(
  site: GatedSite,
  change: GatedChange,
  options: EditOptions = {},
): Promise<ConfigText> {
  const { text } = await site.configFiles.read(change.file);
  const next = await allowedChange(site, change, text);
  return site.configFiles.edit(change.file, (before) => next(before.text), options);
}

/**
 * `change.next` with the decision about it: for the current text now, and again for the text that it is
 * applied to. Addresses that it adds are held to public hosts from now on, unless `isDry`.
 * @throws HttpError 400 for an address that must not be called, 403.
 */
export async function allowedChange(
  site: GatedSite,
  { file, identity, next, isDry = false }: GatedChange,
  current: string,
): Promise<Next> {
  const schema = site.configFiles.schema(file);
  const decide = (before: string): { after: string; added: readonly Address[] } => {
    const after = next(before);
    const values = { before: parseValues(before), after: parseValues(after) };
    assertMayChange(site, identity, values, schema);
    return { after, added: addedAddresses(values, schema) };
  };
  const { added } = decide(current);
  await assertCallable(site, added);
  if (!isDry) {
    const guarded = site.use("guardedHosts", { optional: true });
    await guarded?.guard(added.map(({ text }) => text));
  }
  const checked = new Set(added.map(({ text }) => text));
  return (before) => {
    const decision = decide(before);
    // The file has changed since the addresses were checked.
    if (decision.added.every(({ text }) => checked.has(text))) return decision.after;
    throw new HttpError(409, "the file has changed meanwhile: try again", {
      code: "ERR_ADMIN_CONFLICT",
    });
  };
}

/** All addresses in the configuration files, as written. */
export async function configuredAddresses(site: GatedSite): Promise<string[]> {
  const files = ["site", "system", "admin"] as const;
  const addresses = await Promise.all(
    files.map(async (file) => {
      const { text } = await site.configFiles.read(file);
      const schema = site.configFiles.schema(file);
      return markedTexts(parseValues(text), schema, "x-outbound").map((one) => one.text);
    }),
  );
  return addresses.flat();
}

/** An address that the site would call. */
interface Address {
  key: string;
  text: string;
}
interface Values {
  before: unknown;
  after: unknown;
}

/** @throws ERR_ADMIN_FORBIDDEN (403). */
function assertMayChange(
  site: GatedSite,
  identity: AdminIdentity,
  { before, after }: Values,
  schema: unknown,
): void {
  const changes = changedKeys(before, after);
  assertPrivileged(identity, changes, schema);
  const defined = readRoles(after);
  assertOwnRoles(identity, readRoles(before), defined);
  const roles = new Roles({ ...site.settings.admin.roles, ...defined });
  // Another provider decides who gets the roles that stood there before: all of the block are given.
  const blocks = new Set(changes.map(({ path }) => findBlock(path)));
  const granted = markedTexts(after, schema, "x-grants-role")
    .filter(({ path }) => blocks.has(findBlock(path)))
    .map(({ text }) => text);
  const missing = missingRights(identity, roles.rightsOf(granted));
  if (missing.length > 0) throw lacking("the settings give others what you may not do", missing);
}

/** @throws ERR_ADMIN_FORBIDDEN (403) naming the keys that need more. */
function assertPrivileged(
  { permissions }: AdminIdentity,
  changes: readonly ChangedKey[],
  schema: unknown,
): void {
  if (permissions.has("plugins.manage")) return;
  const keys = changes.filter((change) => isPrivileged(change, schema));
  if (keys.length === 0) return;
  const names = [...new Set(keys.map(({ path }) => path.join(".")))].slice(0, 5).join(", ");
  const message = `permission plugins.manage is needed to change ${names}: such settings make the site run code or trust others`;
  throw refusal(403, "ERR_ADMIN_FORBIDDEN", message);
}

function isPrivileged({ path, before, after }: ChangedKey, schema: unknown): boolean {
  const along = schemasAlong(schema, path);
  const innermost = along.at(-1);
  if (innermost === undefined) return true;
  if (along.some((one) => isMarked(one, "x-privileged"))) return true;
  // A variable may hold a secret, which another key would show.
  const isVariable = typeof after === "string" && variableName(after) !== null && before !== after;
  return isVariable && !isMarked(innermost, "writeOnly");
}

type RoleMap = Readonly<Record<string, CustomRole>>;

/** @throws ERR_ADMIN_FORBIDDEN (403) when a role gets what the identity lacks. */
function assertOwnRoles(identity: AdminIdentity, before: RoleMap, after: RoleMap): void {
  const [old, next] = [new Roles(before), new Roles(after)];
  for (const name of Object.keys(after)) {
    const { own, ...rights } = old.rightsOf([name]);
    const ownPages = { permissions: own, ownersOf: () => null };
    const had = { id: "", ...rights, ownPages };
    const lacks = missingRights(identity, next.rightsOf([name]));
    // The change does not give what the role had already.
    const added = new Set(missingRights(had, next.rightsOf([name])).map(readPermission));
    const missing = lacks.filter((one) => added.has(readPermission(one)));
    if (missing.length > 0) {
      throw lacking(`role ${JSON.stringify(name)} would allow what you may not do`, missing);
    }
  }
}

/** The permission that a missing right begins with. */
function readPermission(right: string): string {
  return right.split(" ", 1)[0] ?? right;
}

const roleShape = z.object({
  permissions: z.array(z.custom<Permission>((value) => isPermission(String(value)))),
  paths: z.array(z.string()).nullable().default(null),
  pages: z.enum(["all", "own"]).default("all"),
});

/** `roles` of admin.yaml, at the top or below `admin`; the writer rejects those that are malformed. */
function readRoles(values: unknown): RoleMap {
  const top = isRecord(values) ? values : {};
  const nested = isRecord(top["admin"]) ? top["admin"] : {};
  const all = [top["roles"], nested["roles"]].flatMap((map) =>
    isRecord(map) ? Object.entries(map) : [],
  );
  const parsed = all.flatMap(([name, role]) => {
    const { data } = roleShape.safeParse(role);
    return data === undefined ? [] : [[name, data] as const];
  });
  return Object.fromEntries(parsed);
}

/** The block that a key belongs to; keys of admin.yaml may be below `admin`. */
function findBlock(path: KeyPath): string {
  return path.slice(0, path[0] === "admin" ? 2 : 1).join(".");
}

/** Addresses that are not in the file yet, at the same key. */
function addedAddresses({ before, after }: Values, schema: unknown): Address[] {
  const toKey = (path: KeyPath): string => path.filter((part) => !/^\d+$/.test(part)).join(".");
  const standing = new Set(
    markedTexts(before, schema, "x-outbound").map(({ path, text }) => `${toKey(path)} ${text}`),
  );
  return markedTexts(after, schema, "x-outbound")
    .map(({ path, text }) => ({ key: toKey(path), text }))
    .filter(({ key, text }) => !standing.has(`${key} ${text}`));
}

/**
 * Their author may not be the server's operator, so they must not reach internal hosts: now, nor after
 * the name has got another address.
 * @throws HttpError 400.
 */
async function assertCallable(site: GatedSite, added: readonly Address[]): Promise<void> {
  const guarded = site.use("guardedHosts", { optional: true });
  if (guarded === undefined) return;
  for (const { key, text } of added) {
    const refused =
      variableName(text) === null
        ? await guarded.refusalToSet(text)
        : `the address in ${JSON.stringify(text)} cannot be checked`;
    if (refused === null) continue;
    const fix = "use a public address, or set the key in the file";
    throw new HttpError(400, `${key}: ${refused}; ${fix}`);
  }
}

/** The values of a text; a malformed one has none, and the writer rejects it. */
function parseValues(text: string): unknown {
  try {
    return configValues(text);
  } catch (error) {
    if (error instanceof SiteError) return {};
    throw error;
  }
}

/** Keys from the root to a value; items of lists have their index. */
type KeyPath = readonly string[];
type Json = Readonly<Record<string, unknown>>;

/** The schema of a key, or of the items of a list (null); undefined when the schema does not know the key. */
function findChild(schema: unknown, name: string | null): unknown {
  const all = alternatives(schema);
  for (const one of all) {
    const properties = isRecord(one["properties"]) ? one["properties"] : {};
    const property = Object.hasOwn(properties, name ?? "") ? properties[name ?? ""] : undefined;
    const child = name === null ? one["items"] : (property ?? one["additionalProperties"]);
    if (isRecord(child)) return child;
  }
  return all.some(isAnything) ? {} : undefined;
}

/** A schema, and those of its alternatives. */
function alternatives(schema: unknown): readonly Json[] {
  if (!isRecord(schema)) return [];
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((key) => {
    const list: unknown = schema[key];
    return Array.isArray(list) ? list.flatMap((one) => alternatives(one)) : [];
  });
  return [schema, ...inner];
}

/** True when the schema, or one of its alternatives, has the keyword. */
function isMarked(schema: unknown, keyword: string): boolean {
  return alternatives(schema).some((one) => one[keyword] === true);
}

/** Schemas from the root to a key; undefined from the first key on that the schema does not know. */
function schemasAlong(schema: unknown, path: KeyPath): unknown[] {
  const along: unknown[] = [schema];
  for (const key of path) {
    const above = along.at(-1);
    along.push(findChild(above, key) ?? (/^\d+$/.test(key) ? findChild(above, null) : undefined));
  }
  return along;
}

/** The schema of a key; undefined for a key that the schema does not know. */
export function schemaAt(schema: unknown, path: readonly string[]): unknown {
  return schemasAlong(schema, path).at(-1);
}

/** A text below a key with a mark. */
interface MarkedText {
  path: KeyPath;
  text: string;
}

/** Every text whose schema has the keyword. */
function markedTexts(
  value: unknown,
  schema: unknown,
  keyword: string,
  path: KeyPath = [],
): MarkedText[] {
  if (typeof value === "string") return isMarked(schema, keyword) ? [{ path, text: value }] : [];
  if (Array.isArray(value)) {
    const item = findChild(schema, null);
    return value.flatMap((one, at) => markedTexts(one, item, keyword, [...path, String(at)]));
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    markedTexts(one, findChild(schema, name), keyword, [...path, name]),
  );
}

/** A key whose value differs between two trees. */
interface ChangedKey {
  path: KeyPath;
  before: unknown;
  after: unknown;
}

/** The deepest keys that differ; a map or list that appears or disappears is one beside its own keys. */
function changedKeys(before: unknown, after: unknown, path: KeyPath = []): ChangedKey[] {
  const [old, next] = [readEntries(before), readEntries(after)];
  if (old === null && next === null) {
    return before === after ? [] : [{ path, before, after }];
  }
  const isSameKind =
    old !== null && next !== null && Array.isArray(before) === Array.isArray(after);
  const change = isSameKind ? [] : [{ path, before, after }];
  const names = new Set([...(old ?? new Map()).keys(), ...(next ?? new Map()).keys()]);
  const inner = [...names].flatMap((name: string) =>
    changedKeys(old?.get(name), next?.get(name), [...path, name]),
  );
  return [...change, ...inner];
}

function readEntries(value: unknown): ReadonlyMap<string, unknown> | null {
  if (Array.isArray(value)) return new Map(value.map((item, at) => [String(at), item]));
  return isRecord(value) ? new Map(Object.entries(value)) : null;
}

/** True for a schema that says nothing about the value. */
function isAnything(schema: Json): boolean {
  const said = ["type", "properties", "items", "anyOf", "oneOf", "allOf", "enum", "const", "$ref"];
  return said.every((keyword) => !(keyword in schema));
}

const SECRET = /secret|password|passwd|token|api_?key|credential|private_?key|^pass$|^key$/i;
/** User name and password in a URL: `redis://user:pass@host`. */
const USER_INFO = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]+@/gi;
/** Replacement for a secret. */
export const MASK = "••••••";

/**
 * Masks secrets: values with such a name, and those that the JSON Schema marks as `writeOnly`. `$NAME` is
 * only a reference and stays visible.
 */
export function withoutSecrets(value: unknown, schema?: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withoutSecrets(item, findChild(schema, null), key));
  }
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        withoutSecrets(item, findChild(schema, name), name),
      ]),
    );
  }
  const isSecret = SECRET.test(key) || isMarked(schema, "writeOnly");
  if (typeof value !== "string" || value.startsWith("$")) return value;
  if (isSecret && value !== "") return MASK;
  return value.replace(USER_INFO, `$1${MASK}@`);
}

/** True when a value contains the mask, which must not be saved. */
export function holdsMask(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes(MASK);
}
