// A site with every feature, and an identity of each kind.
import { firstPartyPlugins } from "../../../plugins/main.js";
import { testClock, type TestClock } from "#testing";
import { gitRemote, type GitRemote } from "../servers/git-remote.js";
import { signIn } from "../sites/admin-site.js";
import { bootAuthSite, type AuthSite } from "../sites/auth-site.js";

const HOUR_MS = 3_600_000;
const YEAR_SECONDS = 31_536_000;
/** What these would connect to does not exist in a test. */
const LEFT_OUT = new Set(["cluster", "postgres", "search-lunr", "search-postgres", "static"]);
/** The paths of identities that are limited to paths. */
export const OWN_PATHS = "blog/**";
/** In the titles of pages outside of them that are not public. */
export const HIDDEN = "zhiddenz";

/** The sender of a request. */
export interface Identity {
  readonly name: string;
  /** `none`: no valid session or token of the panel. */
  readonly kind: "none" | "session" | "token";
  readonly permissions: ReadonlySet<string>;
  /** True: permissions for pages and media apply only in `OWN_PATHS`. */
  readonly hasPaths: boolean;
  /** True: changes only pages that the account owns, and no page of the site is one. */
  readonly ownsPages: boolean;
  /** The only fields that a token may change; null: all. */
  readonly fields: readonly string[] | null;
  /** Headers of a request that this identity intends. */
  headers(): Readonly<Record<string, string>>;
  /** Signs in again when a request has ended the session. */
  renew(): Promise<void>;
}

/** The site and its identities, by name. */
export interface RightsSite extends AuthSite {
  readonly remote: GitRemote;
  readonly clock: TestClock;
  readonly identities: ReadonlyMap<string, Identity>;
}

const WRITER = [
  "pages.read",
  "pages.create",
  "pages.update",
  "pages.delete",
  "pages.publish",
  "media.upload",
  "media.delete",
];
const AUTHOR = ["pages.read", "pages.create", "pages.update", "media.upload"];
const roles = {
  blogger: {
    permissions: [
      "pages.read",
      "pages.create",
      "pages.update",
      "pages.delete",
      "pages.publish",
      "media.upload",
      "media.delete",
      "flex.read",
      "flex.write",
    ],
    paths: [OWN_PATHS],
  },
  writer: { permissions: WRITER, pages: "own" },
  contributor: { permissions: AUTHOR, pages: "own" },
  clerk: {
    permissions: ["media.upload", "media.delete", "submissions.read", "config.read"],
    paths: null,
  },
};

/** Boots the site with these files of the content folder. `hasGit`: as a clone of a git remote. */
export async function bootRights(
  content: Readonly<Record<string, string | Buffer>>,
  { hasGit }: { hasGit: boolean },
): Promise<RightsSite> {
  const remote = await gitRemote();
  if (hasGit) await remote.push({ ...content });
  const pages = Object.entries(content).map(([path, text]) => [`content/${path}`, text] as const);
  const clock = testClock("2026-11-25T10:00:00Z");
  const auth = { providers: { magicLink: { enabled: true } } };
  const site = await bootAuthSite(auth, {
    plugins: firstPartyPlugins.map(({ name }) => name).filter((name) => !LEFT_OUT.has(name)),
    clock,
    env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) },
    files: {
      "site.yaml": "title: Rights\n",
      "flex-objects/boat.yaml": "title: Boats\nfields: { name: { type: text, required: true } }\n",
      "flex-objects/boat/aaaaaaaaaaaa.yaml": "name: Ida\n",
      "forms/contact.yaml": "title: Contact\nfields: { name: { type: text } }\n",
      ...(hasGit ? {} : Object.fromEntries(pages)),
    },
    settings: {
      site: {
        comments: {},
        mcp: { enabled: true },
        uploads: {},
        payments: { secret_key: "k", webhook_secret: "w", api_url: "http://127.0.0.1:9" },
      },
      system: {
        debug: true,
        server: { rate_limit: false },
        ...(hasGit && { git_sync: { remote: remote.url, interval_seconds: 0, push: false } }),
      },
      admin: { roles, sessionLifetime: YEAR_SECONDS, maxRevisions: 10_000 },
    },
  });
  const identities = await createIdentities(site, clock);
  return {
    ...site,
    remote,
    clock,
    identities: new Map(identities.map((identity) => [identity.name, identity])),
    close: async () => {
      await site.close();
      await remote.close();
    },
  };
}

async function createIdentities(site: AuthSite, clock: TestClock): Promise<Identity[]> {
  const admin = await sessionOf(site, "admin", []);
  const answer = await site.fetch("/admin/api/roles", { headers: admin.headers() });
  const declared = (await answer.json()) as {
    items: DeclaredRole[];
    permissions: string[];
  };
  const sessions: Identity[] = [];
  for (const role of declared.items) sessions.push(await sessionOf(site, role.name, [role]));
  const all = declared.permissions;
  const owner = await signIn(site, "admin", "owner");
  const writer = await signIn(site, "writer", "writer-of-token");
  const tokenOf = (name: string, more: TokenOptions = {}) =>
    tokenIdentity(site, { name, all, userId: owner.id, ...more });
  const expired = await tokenOf("expired token", { expiresAt: clock.now() + HOUR_MS });
  clock.advance(2 * HOUR_MS);
  const revoked = await tokenOf("revoked token", { isRevoked: true });
  return [
    outsider("anonymous", {}),
    outsider("visitor", await visitorHeaders(site, "visitor@example.org", [])),
    outsider("member", await visitorHeaders(site, "member@example.org", ["member"])),
    { ...expired, kind: "none", permissions: new Set() },
    { ...revoked, kind: "none", permissions: new Set() },
    ...sessions,
    await tokenOf("token"),
    await tokenOf("token of an author", { permissions: AUTHOR }),
    {
      ...(await tokenOf("token of a writer", { permissions: WRITER, userId: writer.id })),
      ownsPages: true,
    },
    await tokenOf("token with paths", { paths: [OWN_PATHS] }),
    await tokenOf("token with fields", { fields: ["title"] }),
  ];
}

function outsider(name: string, headers: Readonly<Record<string, string>>): Identity {
  return {
    name,
    kind: "none",
    permissions: new Set(),
    hasPaths: false,
    ownsPages: false,
    fields: null,
    headers: () => headers,
    renew: async () => undefined,
  };
}

async function visitorHeaders(
  site: AuthSite,
  email: string,
  visitorRoles: readonly string[],
): Promise<Record<string, string>> {
  const browser = await site.loggedIn(email);
  const users = site.site.use("users");
  const user = await users.findByEmail(email);
  await users.update(user?.id ?? "", (one) => ({ ...one, roles: visitorRoles }));
  return { cookie: browser.pairs("site_"), "sec-fetch-site": "same-origin" };
}

/** A role, as the API lists it. */
interface DeclaredRole {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly paths: readonly string[] | null;
  readonly pages: "all" | "own";
}

/** An account with a role of the panel, signed in. */
async function sessionOf(
  site: AuthSite,
  name: string,
  declared: readonly DeclaredRole[],
): Promise<Identity> {
  let accounts = 0;
  const signedIn = async () => signIn(site, name, `${name}-${declared.length}-${(accounts += 1)}`);
  let client = await signedIn();
  const hasPaths = declared.some(({ paths }) => paths !== null);
  const permissions = declared.flatMap((role) => role.permissions);
  return {
    name,
    kind: "session",
    permissions: new Set(hasPaths ? withoutRecords(permissions) : permissions),
    hasPaths,
    ownsPages: declared.some(({ pages }) => pages === "own"),
    fields: null,
    headers: () => ({
      cookie: client.cookie,
      "x-csrf-token": client.csrf,
      "sec-fetch-site": "same-origin",
    }),
    renew: async () => {
      const { status } = await site.fetch("/admin/api/session", {
        headers: { cookie: client.cookie },
      });
      if (status !== 200) client = await signedIn();
    },
  };
}

interface TokenOptions {
  userId?: string;
  permissions?: readonly string[];
  paths?: readonly string[];
  fields?: readonly string[];
  expiresAt?: number;
  isRevoked?: boolean;
}

async function tokenIdentity(
  site: AuthSite,
  given: TokenOptions & { name: string; all: readonly string[]; userId: string },
): Promise<Identity> {
  const { name, all, userId, paths, fields, expiresAt, isRevoked } = given;
  const permissions = given.permissions ?? all;
  const { tokens } = site.site.use("admin");
  const { clock } = site.site.context("admin").runtime;
  const { token, secret } = await tokens.create({
    name,
    permissions,
    userId,
    expiresAt: expiresAt ?? clock.now() + YEAR_SECONDS * 1_000,
    paths: paths ?? null,
    fields: fields ?? null,
  });
  if (isRevoked === true) await tokens.revoke(token.id);
  return {
    name,
    kind: "token",
    permissions: new Set(paths === undefined ? permissions : withoutRecords(permissions)),
    hasPaths: paths !== undefined,
    ownsPages: false,
    fields: fields ?? null,
    headers: () => ({ authorization: `Bearer ${secret}` }),
    renew: async () => undefined,
  };
}

/** Records have no path: a limit to paths takes these rights away. */
function withoutRecords(permissions: readonly string[]): string[] {
  return permissions.filter((permission) => !permission.startsWith("flex."));
}
