/** The admin API as other plugins see it: adding routes and pages, the current identity. */
import type { Request, Response } from "express";
import type { RouteDefinition, BodyDefinition } from "#kernel";
import type { WriteRights } from "../content/contract.js";
import type { ThemeContent } from "../render/contract.js";

/** Permissions of accounts and tokens. */
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
  | "comments.moderate"
  | "redirects.update"
  | "config.read"
  | "config.update"
  | "users.manage"
  | "plugins.manage";

/** A role of admin.yaml. */
export interface CustomRole {
  readonly permissions: readonly Permission[];
  /**
   * Patterns of paths below the content folder (`blog/**`), without number prefixes: permissions for
   * pages and media apply only there, and it has none for records. Null: everywhere.
   */
  readonly paths: readonly string[] | null;
  /** `own`: permissions to change pages and media apply only to pages that the account owns. */
  readonly pages: "all" | "own";
}

/** `oidc` of admin.yaml: accounts of an OpenID provider. */
export interface OidcSection {
  issuer: string;
  client_id: string;
  /** The variable with the secret. */
  client_secret_env: string;
  /** On the button of the login page. */
  label: string;
  scopes: readonly string[];
  /** The claim with the roles; dots lead into objects. */
  roles_claim: string;
  /** Value of the claim to role of the panel. */
  roles: Readonly<Record<string, string>>;
  /** True: creates accounts at the first login. */
  create: boolean;
}

/** The identity that is signed in to the admin API, with its current rights. */
export interface AdminIdentity {
  readonly kind: "session" | "token";
  /** Id of the account, or `token:` and the token's id for a token without an account. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
  /** In a route's handler: those for the paths of the request. */
  readonly permissions: ReadonlySet<Permission>;
  /** Permissions that apply only to paths that match one of the patterns; the others apply everywhere. */
  readonly paths: ReadonlyMap<Permission, readonly string[]>;
  /** The limits of the token beyond its permissions; absent for sessions. */
  readonly limits?: TokenLimits;
  /** The pages of its own; absent for tokens without an account, and on a site whose roles have no `pages: own`. */
  readonly ownPages?: OwnPages;
  /** Required in state-changing requests of a session; null for tokens, which need none. */
  readonly csrfToken: string | null;
  /** When the token expires, Unix ms; null for tokens without expiry and for sessions. */
  readonly expiresAt: number | null;
}

/** The pages that an account owns, and what it may do only with them. */
export interface OwnPages {
  /** Permissions that apply only to pages of its own, and to all that match one of the patterns. */
  readonly permissions: ReadonlyMap<Permission, readonly string[]>;
  /** See `content.ownersOf`. */
  ownersOf(path: string): readonly string[] | null;
}

/** The limits of an API token. */
export interface TokenLimits {
  /**
   * Patterns of paths below the content folder (`blog/**`), without number prefixes: its permissions for
   * pages and media apply only there. Null: everywhere.
   */
  readonly paths: readonly string[] | null;
  /** Fields of pages and records that it may change, and `body` for the text of a page. Null: all. */
  readonly fields: readonly string[] | null;
}

/** Input of an admin API handler beside request and response. */
export interface AdminInput<Q = unknown, B = unknown> {
  query: Q;
  body: B;
  params: Record<string, string>;
  identity: AdminIdentity;
}
/** A route of the admin API. `permission` `any`: any signed-in identity. */
export interface AdminRoute<Q = unknown, B = unknown> {
  method: RouteDefinition["method"];
  /** Below `{admin.path}/api`: `/pages`, `/pages/*path`. */
  path: string;
  permission: Permission | "any";
  summary: string;
  /** True: for people with a session; tokens get a 403 before the body is read. */
  sessionOnly?: boolean;
  /**
   * The paths below the content folder that a request is about, for roles with paths. Default: `path` of
   * the address and the query, and `path`, `to` and `target` of the body; a request without any needs the
   * permission for the whole site. `own`: the handler checks or filters by itself.
   */
  paths?: "own" | ((input: Omit<AdminInput<Q, B>, "identity">) => readonly string[]);
  query?: RouteDefinition<Q, B>["query"];
  body?: BodyDefinition<B>;
  responses?: RouteDefinition["responses"];
  /** Offers the route to agents. */
  tool?: RouteDefinition["tool"];
  handler(req: Request, res: Response, input: AdminInput<Q, B>): unknown;
}
/** Input of a panel page. */
export interface AdminPageInput {
  identity: AdminIdentity;
  req: Request;
}
/** A panel page below `{admin.path}`, with a menu entry. */
export interface AdminPage {
  /** Below `{admin.path}`: `/orders`. */
  path: string;
  /** In the menu and the title. */
  label: string;
  permission: Permission | "any";
  /** Renders the page's content, inside the panel's frame. */
  render(input: AdminPageInput): ThemeContent | Promise<ThemeContent>;
}
/** Input of the HTML of a screen. */
export interface AdminDocumentInput extends AdminPageInput {
  /** Admits the style elements that the script of the application adds. */
  nonce: string;
}
/** An application in the browser: the panel. */
export interface AdminDocument {
  /** Paths of its screens below `{admin.path}`: `/pages`, `/pages/edit/*path`. */
  readonly paths: readonly string[];
  /** The HTML of every screen. */
  render(input: AdminDocumentInput): string | Promise<string>;
}
/** An immutable file below `{admin.path}/assets/`, named by its digest. */
export interface AdminAsset {
  /** With charset for text. */
  readonly type: string;
  readonly body: string | Buffer;
  /** The body, compressed with Brotli before; without it, each response is compressed. */
  readonly brotli?: Buffer | undefined;
}
/** A route in the documentation and in tests. */
export interface AdminRouteInfo {
  readonly method: string;
  /** With the prefix. */
  readonly path: string;
  /** `none`: public (signing in, the panel's style sheet). */
  readonly permission: Permission | "any" | "none";
  readonly summary: string;
}

/** An audited action: who did what, and whether it succeeded. Never contains secrets. */
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
  /** The node that wrote it; absent while the log belongs to one server. */
  node?: string;
}

/** An API token without its secret. */
export interface ApiToken extends TokenLimits {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** The account whose rights limit the token; null for one created on the command line. */
  readonly userId: string | null;
  /** Unix ms. */
  readonly createdAt: number;
  /** Unix ms; null: never. */
  readonly expiresAt: number | null;
  /** Unix ms, accurate to about five minutes; null: never used. */
  readonly lastUsedAt: number | null;
}
/** An API token to create. */
export interface NewApiToken {
  name: string;
  permissions: readonly string[];
  /** The account whose rights limit the token; null: none. */
  userId: string | null;
  /** Unix ms; null: never. */
  expiresAt: number | null;
  /** See `TokenLimits`; absent: null. */
  paths?: readonly string[] | null;
  /** See `TokenLimits`; absent: null. */
  fields?: readonly string[] | null;
}
/** An API token, and its text. */
export interface CreatedApiToken {
  token: ApiToken;
  /** Cannot be read again. */
  secret: string;
}
/** API tokens: `Authorization: Bearer`. */
export interface ApiTokens {
  /**
   * Returns the token's text, which cannot be read again.
   * @throws ERR_ADMIN_TOKEN (400).
   */
  create(token: NewApiToken): Promise<CreatedApiToken>;
  list(): Promise<readonly ApiToken[]>;
  /** False if the token does not exist. */
  revoke(id: string): Promise<boolean>;
}

/**
 * The admin API as other plugins see it.
 *
 * @example
 * const admin = site.use("admin", { optional: true }); // none without the admin API
 * admin?.route({
 *   method: "get",
 *   path: "/orders",
 *   permission: "flex.read",
 *   summary: "Lists the orders",
 *   handler: (req, res) => site.http.json(req, res, { orders: [] }),
 * });
 */
export interface AdminService {
  /** `admin.path`. */
  readonly path: string;
  /** Adds a guarded route below `{admin.path}/api`. Call during `setup`. */
  route<Q, B>(route: AdminRoute<Q, B>): void;
  /** Adds a guarded panel page. Call during `setup`. */
  page(page: AdminPage): void;
  /** Shows an application at `{admin.path}`. Call once, during `setup`. */
  document(document: AdminDocument): void;
  /** Serves files at `{admin.path}/assets/{folder}/{name}`; null: 404. Call during `setup`. */
  assets(folder: string, find: (name: string) => Promise<AdminAsset | null>): void;
  /** Pages of plugins that the identity may see; `path` is absolute. */
  menu(identity: AdminIdentity): readonly { path: string; label: string }[];
  /** Writes to the audit log in the background; never throws. */
  audit(event: AuditEvent): void;
  /** The signed-in identity; null without session and token. */
  identity(req: Request): AdminIdentity | null;
  /** True when an identity may read a page, published or not, by its source path; null: everything. */
  mayRead(identity: AdminIdentity, sourcePath: string | null): boolean;
  /** The rights of an identity, for `content.apply` and `flex.apply`. */
  rightsOf(identity: AdminIdentity): WriteRights;
  readonly tokens: ApiTokens;
  /**
   * Stops needing codes of an authenticator app, for an account whose owner lost them. False when the
   * account needed none.
   */
  removeTotp(userId: string): Promise<boolean>;
  /** Every route with its permission. */
  readonly routes: readonly AdminRouteInfo[];
}

/** An editor with the page open in the panel. */
export interface PresentPerson {
  readonly id: string;
  readonly name: string;
}

declare module "#kernel" {
  interface ChangeKinds {
    /** A person, by account: which page is open. Transient. */
    presence: { readonly name: string; readonly path: string };
    /** Event streams of an account in one process. Transient. */
    stream: { readonly user: string; readonly open: number };
  }
  interface Services {
    /** Absent when `admin.enabled` is false. */
    admin: AdminService;
  }
  interface AdminSettings {
    enabled: boolean;
    /** URL prefix with a leading slash, without a trailing one. */
    path: string;
    /** Seconds. */
    sessionLifetime: number;
    /** Roles beside admin, editor and author. */
    roles: Readonly<Record<string, CustomRole>>;
    oidc?: OidcSection | undefined;
    /** True: public pages link to the editor, in browsers signed in to the panel. */
    edit_link: boolean;
    /** Days for which what was deleted is kept; 0: not at all. */
    trash_days: number;
  }
}
