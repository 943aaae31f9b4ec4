import { SiteError, type SiteContext } from "#kernel";
import type { AuthSection, JwtSection } from "../contract.js";
import { fetchJwks, RemoteKeys, SharedSecret, type TokenKeys } from "./token-keys.js";
import {
  AFTER_ROUTES,
  authHeaders,
  notConfigured,
  challengeFilter,
  tokenMiddleware,
} from "../middleware.js";
import { ProviderCalls } from "../providers/provider-calls.js";
import { webhookRoutes } from "../routes/webhook-routes.js";
import { TokenUsers } from "./token-users.js";

/** Minimum length in bytes of a token secret (RFC 7518 3.2), and of a webhook secret. */
const SECRET_BYTES = 32;
const WEBHOOK_BYTES = 16;

/** Mode `external-jwt`: users are identified by an identity provider's tokens. */
export function setUpExternalTokens(site: SiteContext, section: AuthSection) {
  const jwt = requireJwt(section);
  const users = site.use("users");
  warn(site, section, jwt);
  site.http.filter(authHeaders);
  site.http.use(AFTER_ROUTES, notConfigured);
  site.http.filter(challengeFilter);
  const { webhook, authzStore } = section;
  if (webhook !== undefined && authzStore === "local") webhookRoutes(site, webhook, jwt);
  const sessions = site.use("session");
  const { cache } = site;
  const { clock } = site.runtime;
  const tokens = new TokenUsers({ jwt, keys: createKeys(site, jwt), users, cache, clock });
  return [tokenMiddleware(tokens, { sessions, users, log: site.log })];
}

function requireJwt({ jwt }: AuthSection): JwtSection {
  if (jwt !== undefined) return jwt;
  throw new SiteError("ERR_AUTH_JWT", "auth.mode is external-jwt, but auth.jwt is missing", {
    fix: "set auth.jwt.secret or auth.jwt.jwksUrl",
  });
}

function createKeys(site: SiteContext, { secret, jwksUrl = "" }: JwtSection): TokenKeys {
  if (secret !== undefined) return new SharedSecret(secret);
  const calls = new ProviderCalls(site.use("outbound"), [jwksUrl]);
  return new RemoteKeys({
    fetchKeys: () => fetchJwks(jwksUrl, calls),
    clock: site.runtime.clock,
    log: site.log,
  });
}

/** Warns about settings that are allowed but insecure. */
function warn({ log }: SiteContext, { webhook, authzStore }: AuthSection, jwt: JwtSection): void {
  const says = (key: string, fix: string): void => log.warn("auth.settings", { key, fix });
  if (!jwt.requireExp)
    says("auth.jwt.requireExp", "set it to true: tokens without exp never expire");
  if (jwt.issuer === undefined) says("auth.jwt.issuer", "set it: any issuer is accepted");
  if (jwt.audience === undefined)
    says("auth.jwt.audience", "set it: tokens for other audiences are accepted");
  if (jwt.secret !== undefined && Buffer.byteLength(jwt.secret) < SECRET_BYTES) {
    says("auth.jwt.secret", `use ${SECRET_BYTES} bytes or more: shorter ones can be guessed`);
  }
  if (webhook !== undefined && authzStore !== "local") {
    says("auth.webhook", "set auth.authzStore to local: without it /auth/webhook does not exist");
  }
  if (webhook !== undefined && Buffer.byteLength(webhook.secret) < WEBHOOK_BYTES) {
    says("auth.webhook.secret", `use ${WEBHOOK_BYTES} characters or more`);
  }
}
