import { HttpError } from "#kernel";
import { z } from "zod";
import {
  isCallbackOf,
  newPendingLogin,
  openLogin,
  sealLogin,
  STATE_SECONDS,
  stateCookieHeader,
  stateCookieName,
  stateCookies,
  surplusCookies,
  type PendingLogin,
  type StateCookie,
} from "../providers/login-state.js";
import { callbackQuery, startQuery } from "../params.js";
import {
  ProviderError,
  providerFailure,
  type LoginProvider,
  type Profile,
} from "../providers/provider.js";
import {
  isSpeculative,
  addCookie,
  nothing,
  redirect,
  type RouteContext,
  type AuthContext,
} from "./auth-context.js";
import type { AuthPages } from "./auth-pages.js";
import { beginSession, signIn } from "./login-routes.js";
import { assertOwnSite, requireStored } from "./account-guard.js";

/** `/auth/{provider}` and `/auth/{provider}/callback` of each configured provider. */
export function oauthRoutes(context: AuthContext, pages: AuthPages): void {
  for (const provider of context.providers) {
    context.site.http.route({
      method: "get",
      path: `/auth/${provider.slug}`,
      summary: `Log in with ${provider.label}`,
      hidden: true,
      query: startQuery,
      handler: (req, res, { query }) =>
        startFlow(context, pages, { req, res, provider, link: null, next: query.next }),
    });
    context.site.http.route({
      method: "get",
      path: `/auth/${provider.slug}/callback`,
      summary: `Callback of ${provider.label}`,
      hidden: true,
      query: callbackQuery,
      handler: (req, res, { query }) => finishFlow(context, pages, { req, res, provider, query }),
    });
  }
}

/** Start of a login or a link. */
export interface FlowStart extends RouteContext {
  readonly provider: LoginProvider;
  readonly link: PendingLogin["link"];
  readonly next: string;
}

/** Redirects to the provider; the browser stores the sealed login in a cookie. */
async function startFlow(context: AuthContext, pages: AuthPages, start: FlowStart): Promise<void> {
  const { req, res, provider, link, next } = start;
  const { site, sessions, isSecure } = context;
  if (isSpeculative(req)) return nothing({ req, res });
  const login = newPendingLogin({ provider: provider.slug, link, next }, site.runtime.clock.now());
  try {
    const target = await provider.start(login);
    const key = await sessions.secret("auth-state");
    const value = sealLogin(login, key);
    const now = site.runtime.clock.now();
    const stored = stateCookies(req.headers.cookie);
    for (const { name } of surplusCookies(stored, key, now, value.length)) {
      addCookie(res, stateCookieHeader({ name, value: "" }, isSecure));
    }
    const name = stateCookieName(login.state);
    addCookie(res, stateCookieHeader({ name, value }, isSecure));
    redirect(site.http, { req, res }, target.href);
  } catch (error) {
    await failed(context, pages, { req, res, provider, error, next });
  }
}

/** A browser that a provider sent back. */
interface Callback extends RouteContext {
  readonly provider: LoginProvider;
  readonly query: z.output<typeof callbackQuery>;
}

/** Ends a login or a link with the provider's callback. */
async function finishFlow(
  context: AuthContext,
  pages: AuthPages,
  callback: Callback,
): Promise<void> {
  const { req, res, provider, query } = callback;
  const { site, isSecure } = context;
  if (isSpeculative(req)) return nothing({ req, res });
  const cookie = readStateCookie(callback);
  const login = cookie === null ? null : await pendingLogin(context, callback, cookie.value);
  if (cookie !== null) addCookie(res, stateCookieHeader({ ...cookie, value: "" }, isSecure));
  if (query.error !== undefined) {
    site.log.info("auth.denied", { provider: provider.slug });
    return redirect(site.http, { req, res }, "/auth/login?error=denied");
  }
  const next = login?.next ?? "/";
  try {
    if (login === null || query.code === undefined) {
      const message = "the callback does not belong to a login started in this browser";
      throw new ProviderError("code", message);
    }
    // The registered URL with the received query; never derived from `Host`.
    const registered = `${site.settings.site.url}/auth/${provider.slug}/callback`;
    const profile = await provider.finish(new URL(`${registered}?${req.ctx.search}`), login);
    const verified = { req, res, provider, profile, next };
    if (login.link === null) await finishLogin(context, verified);
    else await finishLink(context, verified, login.link);
  } catch (error) {
    await failed(context, pages, { req, res, provider, error, next });
  }
}

/** The cookie of the login that the callback belongs to. */
function readStateCookie({ req, query: { state } }: Callback): StateCookie | null {
  const name = state === undefined ? null : stateCookieName(state);
  return stateCookies(req.headers.cookie).find((cookie) => cookie.name === name) ?? null;
}

/** The login sealed in a callback's cookie, usable once; null when this browser did not start it. */
async function pendingLogin(
  { site, sessions }: AuthContext,
  { provider, query: { state = "" } }: Callback,
  sealed: string,
): Promise<PendingLogin | null> {
  const login = openLogin(sealed, await sessions.secret("auth-state"), site.runtime.clock.now());
  if (login === null || !isCallbackOf(login, provider.slug, state)) return null;
  const isFirst = await sessions.claim(`auth-state:${login.state}`, STATE_SECONDS);
  return isFirst ? login : null;
}

/** A person as a provider vouches for them, in the request that returned from there. */
interface VerifiedLogin extends RouteContext {
  readonly provider: LoginProvider;
  readonly profile: Profile;
  /** The path to redirect to. */
  readonly next: string;
}

/** Logs in the person of a profile with a verified address. */
async function finishLogin(context: AuthContext, verified: VerifiedLogin): Promise<void> {
  const { req, res, provider, profile, next } = verified;
  const { id, email, name, avatarUrl } = profile;
  if (email === null) {
    throw new HttpError(
      403,
      `${provider.label} has not verified your e-mail address: verify it there, then log in again`,
      { code: "ERR_AUTH_UNVERIFIED" },
    );
  }
  const vouched = { provider: provider.slug, providerId: id, email, name, avatarUrl };
  await signIn(context, { req, res }, vouched);
  redirect(context.site.http, { req, res }, next);
}

/** Adds the identity to the account whose session started the link, and to no other. */
async function finishLink(
  context: AuthContext,
  { req, res, provider, profile, next }: VerifiedLogin,
  link: NonNullable<PendingLogin["link"]>,
): Promise<void> {
  const { http } = context.site;
  const session = context.sessions.current(req, "visitor");
  const user = req.ctx.state.siteUser;
  if (!user || session === null || user.id !== link.userId || session.id !== link.sessionId) {
    throw new ProviderError("code", "the link was started in another session");
  }
  const identity = { provider: provider.slug, providerId: profile.id };
  const outcome = await context.users.linkIdentity(user.id, identity);
  if (outcome.kind === "linked_elsewhere") {
    await beginSession(context, { req, res }, outcome.owner, provider.slug);
    return redirect(http, { req, res }, "/?site_link=linked_elsewhere");
  }
  redirect(http, { req, res }, withParameter(next, outcome.kind));
}

function withParameter(next: string, outcome: string): string {
  const url = new URL(next, "http://site.invalid");
  url.searchParams.set("site_link", outcome);
  return url.pathname + url.search + url.hash;
}

interface FailedFlow extends RouteContext {
  readonly provider: LoginProvider;
  readonly error: unknown;
  readonly next: string;
}

/** Responds with the login page, or with an error to clients that want JSON; the provider's message only goes to the log. */
async function failed(context: AuthContext, pages: AuthPages, flow: FailedFlow): Promise<void> {
  const { req, res, provider, error, next } = flow;
  if (!(error instanceof ProviderError)) throw error;
  context.site.log.warn("auth.login_failed", {
    provider: provider.slug,
    fault: error.fault,
    error: error.message,
  });
  const failure = providerFailure(error.fault);
  if (req.accepts("html", "json") === "json") throw failure;
  await pages.login(req, res, { status: failure.status, error: "failed", next });
}

const unlinked = z.object({ ok: z.literal(true), linkedProviders: z.array(z.string()) });
const problem = z.object({ error: z.string() });

/** `GET /auth/{provider}/link` of each configured provider. */
export function linkStartRoutes(context: AuthContext, pages: AuthPages): void {
  for (const provider of context.providers) {
    const path = `/auth/${provider.slug}/link`;
    context.site.http.route({
      method: "get",
      path,
      summary: `Link an identity of ${provider.label}`,
      hidden: true,
      query: startQuery,
      handler: async (req, res, { query: { next } }) => {
        const user = requireStored(context, req);
        const session = context.sessions.current(req, "visitor");
        if (session === null) {
          throw new HttpError(401, "log in first", { code: "ERR_AUTH_REQUIRED" });
        }
        // Another site sent the visitor here: ask for confirmation before linking.
        if (req.headers["sec-fetch-site"] === "cross-site") {
          return pages.confirm(req, res, {
            title: `Link ${provider.label}`,
            text: `Do you want to use ${provider.label} to log in to this account?`,
            button: `Link ${provider.label}`,
            action: path,
            method: "get",
            fields: { next },
          });
        }
        const link = { userId: user.id, sessionId: session.id };
        return startFlow(context, pages, { req, res, provider, link, next });
      },
    });
  }
}

/** `POST/auth/{provider}/unlink` of each configured provider. */
export function unlinkRoutes(context: AuthContext): void {
  const { http } = context.site;
  for (const { slug, label } of context.providers) {
    http.jsonPrefix(`/auth/${slug}/unlink`);
    http.route({
      method: "post",
      path: `/auth/${slug}/unlink`,
      summary: `Remove a linked identity of ${label}`,
      responses: { 200: unlinked, 401: problem, 403: problem, 404: problem, 409: problem },
      handler: async (req, res) => {
        assertOwnSite(context, req);
        const user = requireStored(context, req);
        const keepLast = context.section.providers.magicLink?.enabled !== true;
        const changed = await context.users.unlinkIdentity(user.id, slug, { keepLast });
        const { linkedProviders } = context.users.public(changed);
        await http.json(req, res, { ok: true, linkedProviders }, { cache: { private: true } });
      },
    });
  }
}
