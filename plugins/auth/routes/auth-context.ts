import type { SiteContext, ExtensionList, Http } from "#kernel";
import type { Request, Response } from "express";
import type { SessionService } from "../../session/contract.js";
import type { AccountPasskeys, UsersService } from "../../users/contract.js";
import type { AuthSection, PersonalData } from "../contract.js";
import type { LoginProvider } from "../providers/provider.js";
import type { Visitors } from "../visitors.js";

/** Passkeys of visitors. */
export interface VisitorPasskeys {
  readonly passkeys: AccountPasskeys;
  /** The script of the pages that use them; its URL holds a digest. */
  readonly script: { readonly url: string; readonly text: string };
}
/** Dependencies of the routes of mode `dune`. */
export interface AuthContext {
  readonly site: SiteContext;
  /** The data that plugins store about an account. */
  readonly personalData: ExtensionList<PersonalData>;
  readonly section: AuthSection;
  readonly sessions: SessionService;
  readonly users: UsersService;
  readonly visitors: Visitors;
  readonly providers: readonly LoginProvider[];
  /** True: cookies are `Secure`; always except in dev. */
  readonly isSecure: boolean;
  /** Null: the site offers none. */
  readonly passkeys: VisitorPasskeys | null;
}

/** Redirects a visitor; `to` is our own URL, a provider's, or validated by `safeNext`. */
export function redirect(http: Http, { req, res }: RouteContext, to: string): void {
  const headers = { Location: to };
  http.send(req, res, {
    status: 302,
    type: "text/plain; charset=utf-8",
    body: "",
    headers,
    cache: { private: true },
  });
}

/** Responds to a request that must have no effect, such as a prefetch. */
export function nothing({ res }: RouteContext): void {
  res.writeHead(204, { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
  res.end();
}

/** A request and its response. */
export interface RouteContext {
  readonly req: Request;
  readonly res: Response;
}

/** Adds a `Set-Cookie` header without replacing existing ones. */
export function addCookie(res: Response, header: string): void {
  res.appendHeader("Set-Cookie", header);
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** `Sec-Fetch-Dest` values of requests that a page makes, rather than a navigation. */
const PARTS: readonly string[] = ["image", "script", "style", "font", "iframe", "object", "empty"];
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** The head of a request. */
interface RequestHead {
  readonly method: string;
  /** By lower-case name. */
  readonly headers: Headers;
}

/** True for HEAD and declared prefetches, which must have no effect. */
export function isSpeculative({ method, headers }: RequestHead): boolean {
  if (method === "HEAD") return true;
  return PURPOSES.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? "")));
}

/** True for a request made by a page itself: an image, a script, a frame, `fetch`. */
export function isSubresource(headers: Headers): boolean {
  return PARTS.includes(String(headers["sec-fetch-dest"] ?? ""));
}
