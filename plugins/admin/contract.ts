/** What others may know of the admin API: routes and pages they add to it, who is signed in. */
import type { Request, Response } from "express";
import type { ComponentChild } from "preact";
import type { BodyDefinition, RouteDefinition } from "#kernel";

/** What an account or token may be allowed. */
export type Permission =
  | "pages.read"
  | "pages.create"
  | "pages.update"
  | "pages.delete"
  | "pages.publish"
  | "media.upload"
  | "media.delete"
  | "flex.read"
  | "flex.write"
  | "submissions.read"
  | "config.read"
  | "config.update"
  | "users.manage"
  | "plugins.manage";

/** Who has signed in to the admin API, with the rights of this moment. */
export interface AdminIdentity {
  readonly kind: "session" | "token";
  /** Id of the account; of a token without one: `token:` and the token's id. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<Permission>;
  /** What state-changing requests of a session carry; null for tokens, which need none. */
  readonly csrfToken: string | null;
  /** When the token that was shown ends, Unix ms; null for one that does not, and for sessions. */
  readonly expiresAt: number | null;
}

/** What a handler of the admin API receives beside request and response. */
export interface AdminInput<Q = unknown, B = unknown> {
  query: Q;
  body: B;
  params: Record<string, string>;
  identity: AdminIdentity;
}
/** A route of the admin API. `permission` `any`: whoever is signed in. */
export interface AdminRoute<Q = unknown, B = unknown> {
  method: RouteDefinition["method"];
  /** Below `{admin.path}/api`: `/pages`, `/pages/*path`. */
  path: string;
  permission: Permission | "any";
  summary: string;
  query?: RouteDefinition<Q, B>["query"];
  body?: BodyDefinition<B>;
  responses?: RouteDefinition["responses"];
  handler(req: Request, res: Response, input: AdminInput<Q, B>): unknown;
}
/** A page for people below `{admin.path}`, with an entry in its menu. */
export interface AdminPage {
  /** Below `{admin.path}`: `/orders`. */
  path: string;
  /** In the menu and the title. */
  label: string;
  permission: Permission | "any";
  /** The page's content; it stands in the panel's frame. */
  render(input: {
    identity: AdminIdentity;
    req: Request;
  }): ComponentChild | Promise<ComponentChild>;
}
/** A route as the documentation and tests see it. */
export interface AdminRouteInfo {
  readonly method: string;
  /** With the prefix. */
  readonly path: string;
  /** `none`: open to everybody (signing in, the panel's style). */
  readonly permission: Permission | "any" | "none";
  readonly summary: string;
}

/** Something worth remembering: who did what, and whether it worked. Never holds secrets. */
export interface AuditEvent {
  /** `page.update`, `auth.login_failed`, … */
  event: string;
  actor?: Pick<AdminIdentity, "id" | "name"> | null;
  ip?: string;
  target?: { type: string; id: string } | null;
  detail?: Readonly<Record<string, unknown>>;
  outcome?: "success" | "failure";
}
/** A line of the audit log. */
export interface AuditEntry extends Required<AuditEvent> {
  /** A ULID: sorts by time. */
  id: string;
  /** Unix ms. */
  ts: number;
}

/** An API token as it may be shown: never its secret. */
export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** The account whose rights it cannot exceed; null for one made on the command line. */
  readonly userId: string | null;
  /** Unix ms. */
  readonly createdAt: number;
  /** Unix ms; null: never. */
  readonly expiresAt: number | null;
  /** Unix ms, to about five minutes; null: never used. */
  readonly lastUsedAt: number | null;
}
/** API tokens: `Authorization: Bearer`. */
export interface ApiTokens {
  /** The token's text is shown this once. Throws ERR_ADMIN_TOKEN (400). */
  create(token: {
    name: string;
    permissions: readonly string[];
    userId: string | null;
    expiresAt: number | null;
  }): Promise<{ token: ApiToken; secret: string }>;
  list(): Promise<readonly ApiToken[]>;
  /** False when there was none. */
  revoke(id: string): Promise<boolean>;
}

/** The admin API as other plugins see it. */
export interface AdminService {
  /** `admin.path`. */
  readonly path: string;
  /** Adds a route below `{admin.path}/api` behind the guard. During `setup`. */
  route<Q, B>(route: AdminRoute<Q, B>): void;
  /** Adds a page for people behind the guard. During `setup`. */
  page(page: AdminPage): void;
  /** Writes to the audit log, in the background; never fails. */
  audit(event: AuditEvent): void;
  /** Who has signed in; null on requests without session and token. */
  identity(req: Request): AdminIdentity | null;
  readonly tokens: ApiTokens;
  /** Every route with its permission. */
  readonly routes: readonly AdminRouteInfo[];
}

declare module "#kernel" {
  interface Services {
    /** Not there when `admin.enabled` is false. */
    admin: AdminService;
  }
  interface AdminSettings {
    enabled: boolean;
    /** URL prefix with a leading slash, without a trailing one. */
    path: string;
    /** Seconds. */
    sessionLifetime: number;
  }
}
