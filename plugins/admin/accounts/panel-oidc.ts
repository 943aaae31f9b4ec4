import { isRecord, SiteError, type SiteContext } from "#kernel";
import type { OpenIdClient, OpenIdProfile } from "../../auth/contract.js";
import type { User, UsersService } from "../../users/contract.js";
import type { OidcSection } from "../contract.js";
import { refusal } from "../errors.js";
import type { Roles } from "./roles.js";

/** Marks accounts of the provider. */
const PROVIDER = "panel-oidc";

/** Login of the panel with an OpenID provider. */
export interface PanelOidc {
  client(): OpenIdClient;
  /** `{site.url}{admin.path}/oidc/callback` */
  readonly redirectUri: string;
  /**
   * The account of a person, with the roles of their claims; created if the settings allow it.
   * @throws ERR_ADMIN_OIDC_ACCOUNT (403, 409).
   */
  userOf(profile: OpenIdProfile): Promise<User>;
  /** `linked`: the account signs in with the provider. `removable`: it can sign in without it too. */
  linkOf(user: User): { label: string; linked: boolean; removable: boolean };
  /**
   * Lets the person of the profile sign in to an account, in place of the person linked before.
   * @throws ERR_ADMIN_OIDC_ACCOUNT (403, 409).
   */
  link(userId: string, profile: OpenIdProfile): Promise<User>;
  /** Stops it. False when the account is not linked. */
  unlink(userId: string): Promise<boolean>;
}

/** The link of the login page; null without the setting `oidc`. */
export function oidcLink(
  site: SiteContext,
  path: string,
  next: string,
): { href: string; label: string } | null {
  const { oidc } = site.settings.admin;
  const query = next === "" ? "" : `?next=${encodeURIComponent(next)}`;
  return oidc === undefined ? null : { href: `${path}/oidc${query}`, label: oidc.label };
}

/** Null without the setting. What is missing is reported when the site gets ready. */
export function createPanelOidc(site: SiteContext, roles: Roles): PanelOidc | null {
  const { oidc, path } = site.settings.admin;
  if (oidc === undefined) return null;
  const redirectUri = `${site.settings.site.url}${path}/oidc/callback`;
  let client: OpenIdClient | null = null;
  site.lifecycle.onReady(() => {
    client = createClient(site, oidc, roles, redirectUri);
  });
  return {
    redirectUri,
    client: () => {
      if (client === null) throw new SiteError("ERR_ADMIN_OIDC", "the site is not ready");
      return client;
    },
    userOf: (profile) => findOrLinkUser(site.use("users"), oidc, roles, profile),
    linkOf: (user) => ({
      label: oidc.label,
      linked: user.provider === PROVIDER || isLinked(user),
      removable: isLinked(user),
    }),
    link: (userId, profile) => link(site, oidc, userId, profile),
    unlink: (userId) => unlink(site.use("users"), userId),
  };
}

/** @throws ERR_ADMIN_OIDC. */
function createClient(
  site: SiteContext,
  oidc: OidcSection,
  roles: Roles,
  redirectUri: string,
): OpenIdClient {
  const service = site.use("openid", { optional: true });
  if (service === undefined) throw broken("needs the plugin auth", "add auth to plugins");
  const clientSecret = site.runtime.env.get(oidc.client_secret_env);
  if (clientSecret === undefined) {
    throw broken(`needs the variable ${oidc.client_secret_env}`, "set it to the client secret");
  }
  const unknown = Object.values(oidc.roles).find((role) => !roles.open([role]));
  if (unknown !== undefined) {
    const names = roles.all.map(({ name }) => name).join(", ");
    throw broken(`names the role ${JSON.stringify(unknown)}`, `use one of ${names}`);
  }
  const { issuer, client_id: clientId, scopes } = oidc;
  const [claim = ""] = oidc.roles_claim.split(".", 1);
  return service.client({ issuer, clientId, clientSecret, redirectUri, scopes, claim });
}

async function findOrLinkUser(
  users: UsersService,
  oidc: OidcSection,
  roles: Roles,
  { id, email, name, claims }: OpenIdProfile,
): Promise<User> {
  const granted = readRoles(claims, oidc);
  if (granted.length === 0) throw noAccount("the provider gives you no role for this panel");
  const providerId = `${oidc.issuer} ${id}`;
  const linked = await users.findByIdentity(PROVIDER, providerId);
  if (linked !== null) {
    if (linked.enabled === false) throw noAccount("this account is disabled");
    // The provider decides about the accounts that it made; a linked one keeps its roles.
    return linked.provider === PROVIDER ? withRoles(users, linked, granted, roles) : linked;
  }
  if (!oidc.create) throw noAccount("you have no account here: an admin creates accounts");
  if (email === null) throw noAccount("the provider has not verified your e-mail address");
  // The provider's word must not open an account that was created otherwise.
  if ((await users.findByEmail(email)) !== null) {
    const message =
      "another account has your e-mail address: sign in with its password, then connect it under Your account";
    throw refusal(409, "ERR_ADMIN_OIDC_ACCOUNT", message);
  }
  const named = name === null ? {} : { name };
  return users.create({ email, ...named, provider: PROVIDER, providerId, roles: granted });
}

async function link(
  site: SiteContext,
  oidc: OidcSection,
  userId: string,
  profile: OpenIdProfile,
): Promise<User> {
  const users = site.use("users");
  if (readRoles(profile.claims, oidc).length === 0) {
    throw noAccount("the provider gives you no role for this panel");
  }
  const providerId = `${oidc.issuer} ${profile.id}`;
  const holder = await users.findByIdentity(PROVIDER, providerId);
  if (holder !== null && holder.id !== userId) {
    const message = "this account of the provider signs in to another account here";
    throw refusal(409, "ERR_ADMIN_OIDC_ACCOUNT", message);
  }
  const linkedAt = site.runtime.clock.now();
  const added = { provider: PROVIDER, providerId, linkedAt };
  return users.update(userId, (user) => ({ ...user, linkedProviders: [...others(user), added] }));
}

async function unlink(users: UsersService, userId: string): Promise<boolean> {
  const user = await users.get(userId);
  if (user === null || !isLinked(user)) return false;
  await users.update(userId, (stored) => ({ ...stored, linkedProviders: others(stored) }));
  return true;
}

function others({ linkedProviders }: User): User["linkedProviders"] {
  return linkedProviders.filter(({ provider }) => provider !== PROVIDER);
}

function isLinked({ linkedProviders }: User): boolean {
  return linkedProviders.some(({ provider }) => provider === PROVIDER);
}

/** The provider decides about roles of the panel; others stay. */
async function withRoles(
  users: UsersService,
  account: User,
  granted: readonly string[],
  roles: Roles,
): Promise<User> {
  const others = account.roles.filter((role) => !roles.open([role]));
  const next = [...others, ...granted];
  const isSame =
    next.length === account.roles.length && next.every((one) => account.roles.includes(one));
  return isSame ? account : users.update(account.id, (user) => ({ ...user, roles: next }));
}

/** The roles that the claim's values stand for. */
function readRoles(claims: Readonly<Record<string, unknown>>, oidc: OidcSection): string[] {
  let value: unknown = claims;
  for (const key of oidc.roles_claim.split(".")) {
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  const table = new Map(Object.entries(oidc.roles));
  const granted = [value].flat().flatMap((each) => table.get(String(each)) ?? []);
  return [...new Set(granted)];
}

function noAccount(message: string): Error {
  return refusal(403, "ERR_ADMIN_OIDC_ACCOUNT", message);
}

function broken(what: string, fix: string): SiteError {
  return new SiteError("ERR_ADMIN_OIDC", `oidc of admin.yaml ${what}`, { fix });
}
