import { HttpError } from "#kernel";
import {
  isAnswerTo,
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
import { ProviderError, type LoginProvider, type Profile } from "../providers/provider.js";
import { isSpeculative, addCookie, nothing, redirect, type RouteContext } from "./answers.js";
import type { AuthPages } from "./auth-pages.js";
import type { AuthParts } from "./auth-parts.js";
import { finishLink } from "./link-routes.js";
import { signIn } from "./login-routes.js";

/** `/auth/{provider}` and `/auth/{provider}/callback` of each configured provider. */
export function oauthRoutes(parts: AuthParts, pages: AuthPages): void {
  for (const provider of parts.providers) {
    parts.site.http.route({
      method: "get",
      path: `/auth/${provider.slug}`,
      summary: `Log in with ${provider.label}`,
      hidden: true,
      query: startQuery,
      handler: (req, res, { query }) =>
        startFlow(parts, pages, { req, res, provider, link: null, next: query.next }),
    });
    parts.site.http.route({
      method: "get",
      path: `/auth/${provider.slug}/callback`,
      summary: `Callback of ${provider.label}`,
      hidden: true,
      query: callbackQuery,
      handler: (req, res, { query }) =>
        comeBack(parts, pages, { req, res, provider, answer: query }),
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
export async function startFlow(
  parts: AuthParts,
  pages: AuthPages,
  start: FlowStart,
): Promise<void> {
  const { req, res, provider, link, next } = start;
  const { site, sessions, isSecure } = parts;
  if (isSpeculative(req)) return nothing(site.http, { req, res });
  const login = newPendingLogin({ provider: provider.slug, link, next }, site.runtime.clock.now());
  try {
    const target = await provider.start(login);
    const key = await sessions.secret("auth-state");
    const value = sealLogin(login, key);
    const room = { key, now: site.runtime.clock.now(), room: value.length };
    for (const { name } of surplusCookies(stateCookies(req.headers.cookie), room)) {
      addCookie(res, stateCookieHeader({ name, value: "" }, isSecure));
    }
    const name = stateCookieName(login.state);
    addCookie(res, stateCookieHeader({ name, value }, isSecure));
    redirect(site.http, { req, res }, target.href);
  } catch (error) {
    await failed(parts, pages, { req, res, provider, error, next });
  }
}

interface Return extends RouteContext {
  readonly provider: LoginProvider;
  readonly answer: {
    code?: string | undefined;
    state?: string | undefined;
    error?: string | undefined;
  };
}

async function comeBack(parts: AuthParts, pages: AuthPages, back: Return): Promise<void> {
  const { req, res, provider, answer } = back;
  const { site, isSecure } = parts;
  if (isSpeculative(req)) return nothing(site.http, { req, res });
  const login = await pendingOf(parts, back);
  const cookie = cookieOf(back);
  if (cookie !== null) addCookie(res, stateCookieHeader({ ...cookie, value: "" }, isSecure));
  if (answer.error !== undefined) {
    site.log.info("auth.denied", { provider: provider.slug });
    return redirect(site.http, { req, res }, "/auth/login?error=denied");
  }
  const next = login?.next ?? "/";
  try {
    if (login === null || answer.code === undefined) throw notStarted();
    const profile = await provider.finish(callbackUrl(parts, back), login);
    if (login.link === null) await finishLogin(parts, { req, res, provider, profile, next });
    else await finishLink(parts, { req, res, provider, profile, link: login.link, next });
  } catch (error) {
    await failed(parts, pages, { req, res, provider, error, next });
  }
}

/** The pending login of a callback, usable once; null when this browser did not start it. */
async function pendingOf(parts: AuthParts, back: Return): Promise<PendingLogin | null> {
  const { provider, answer } = back;
  const { site, sessions } = parts;
  const cookie = cookieOf(back);
  if (cookie === null || answer.state === undefined) return null;
  const login = openLogin(
    cookie.value,
    await sessions.secret("auth-state"),
    site.runtime.clock.now(),
  );
  if (login === null || !isAnswerTo(login, { provider: provider.slug, state: answer.state })) {
    return null;
  }
  const isFirst = await sessions.claim(`auth-state:${login.state}`, STATE_SECONDS);
  return isFirst ? login : null;
}

/** The cookie of the login that the callback belongs to. */
function cookieOf({ req, answer: { state } }: Return): StateCookie | null {
  const name = state === undefined ? null : stateCookieName(state);
  return stateCookies(req.headers.cookie).find((cookie) => cookie.name === name) ?? null;
}

/** The registered callback URL with the received query; never derived from `Host`. */
function callbackUrl({ site }: AuthParts, { req, provider }: Return): URL {
  return new URL(`${site.settings.site.url}/auth/${provider.slug}/callback?${req.ctx.search}`);
}

async function finishLogin(
  parts: AuthParts,
  {
    req,
    res,
    provider,
    profile,
    next,
  }: RouteContext & { provider: LoginProvider; profile: Profile; next: string },
): Promise<void> {
  const { id, name, avatarUrl } = profile;
  if (profile.email === null) {
    throw new HttpError(
      403,
      `${provider.label} has not verified your e-mail address: verify it there, then log in again`,
      { code: "ERR_AUTH_UNVERIFIED" },
    );
  }
  const { slug } = provider;
  const vouched = { provider: slug, providerId: id, email: profile.email, name, avatarUrl };
  await signIn(parts, { req, res }, vouched);
  redirect(parts.site.http, { req, res }, next);
}

function notStarted(): ProviderError {
  return new ProviderError(
    "code",
    "the callback does not belong to a login started in this browser",
  );
}

interface Failure extends RouteContext {
  readonly provider: LoginProvider;
  readonly error: unknown;
  readonly next: string;
}

/**
 * 400 for the visitor's fault, 502 for the provider's; the provider's message only goes to the log.
 */
async function failed(parts: AuthParts, pages: AuthPages, failure: Failure): Promise<void> {
  const { req, res, provider, error, next } = failure;
  if (!(error instanceof ProviderError)) throw error;
  parts.site.log.warn("auth.login_failed", {
    provider: provider.slug,
    fault: error.fault,
    error: error.message,
  });
  const status = error.fault === "code" ? 400 : 502;
  if (req.accepts("html", "json") === "json") {
    const [code, text] =
      status === 400
        ? ["ERR_AUTH_STATE", "this login was not started in this browser, or has expired"]
        : ["ERR_AUTH_PROVIDER", "the provider's response is invalid"];
    throw new HttpError(status, text ?? "", { code: code ?? "" });
  }
  await pages.login(req, res, { status, error: "failed", next });
}
