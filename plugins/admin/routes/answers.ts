import { z } from "zod";
import { dryRunAnswer } from "./route-parts.js";

/** Responses of the admin API by route: status to JSON schema. */
const error = z.object({ error: z.string(), details: z.array(z.unknown()).optional() });
const text = z.string();
const violation = z.object({ field: z.string(), message: z.string() });
const invalid = error.extend({ validationErrors: z.array(violation) });
const time = z.number().describe("Unix ms");
const anyPaths = z.record(text, z.array(text)).describe("Patterns that limit a permission");
const count = z.int().min(0);
const anyMap = z.record(z.string(), z.unknown());
const listOf = <T extends z.ZodType>(items: T) => z.object({ items: z.array(items), total: count });
const status = z.enum(["draft", "in_review", "published", "archived"]);

const user = z
  .object({
    id: text,
    email: text,
    name: text.nullable(),
    username: text.nullable(),
    roles: z.array(text),
    provider: text,
    enabled: z.boolean(),
    hasPassword: z.boolean(),
    createdAt: time,
    updatedAt: time,
    lastSeenAt: time,
  })
  .meta({ id: "Account", description: "An account, as administrators see it" });
const broken = z
  .object({
    code: text,
    message: text,
    key: text.optional(),
    fix: text.optional(),
    line: count.optional(),
    column: count.optional(),
    isEditable: z.literal(false).optional().describe("The file is not text; `raw` is empty"),
  })
  .meta({ id: "BrokenPage", description: "Why a page cannot be read, and where" });
const pageSource = z
  .object({
    sourcePath: text,
    route: text,
    frontmatter: anyMap,
    body: text,
    raw: text,
    size: count.describe("Bytes"),
    format: text,
    hash: text.describe("Digest of the file: the `ETag`"),
    broken: broken.optional().describe("The page cannot be read: only `raw` is known"),
    problems: z
      .array(text)
      .optional()
      .describe("What is wrong with the page, such as another page that has its address"),
  })
  .meta({ id: "PageSource", description: "The source of a page" });
const page = pageSource
  .extend({ status: status.describe("Of the live page: one that another key hides is a draft") })
  .meta({ id: "Page", description: "The source and the status of a page" });
const pageRow = z
  .object({
    route: text,
    title: text,
    sourcePath: text,
    format: text,
    template: text,
    published: z.boolean(),
    status,
    date: text,
    order: z.number(),
    depth: z.number(),
    parent: text.nullable(),
    lang: text,
    isModule: z.boolean(),
    visible: z.boolean(),
    mtimeMs: z.number(),
    hash: text,
    hasChildren: z.boolean(),
    broken: broken.optional().describe("The page cannot be read: the row says what its path says"),
    columns: anyMap.optional().describe("Values of the columns that the page's blueprint names"),
  })
  .meta({ id: "PageRow", description: "A page in the lists of the panel" });
const revision = z
  .object({
    n: count,
    sourcePath: text,
    kind: z.enum(["saved", "found", "deleted"]),
    createdAt: time,
    message: text,
    size: count,
    hash: text,
    actor: z.object({ id: text, name: text, email: text }).nullable(),
    content: text.optional().describe("Only for a single version"),
  })
  .meta({ id: "Revision", description: "A version of a page" });
const diffLine = z.object({
  kind: z.enum(["same", "added", "removed"]),
  text,
  oldLine: z.number().nullable(),
  newLine: z.number().nullable(),
});
const difference = z.object({ lines: z.array(diffLine), additions: count, deletions: count });
const token = z.object({
  id: text,
  name: text,
  permissions: z.array(text),
  userId: text.nullable(),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable(),
  paths: z.array(text).nullable().describe("Where its permissions for pages and media apply"),
  fields: z.array(text).nullable().describe("Fields of pages and records that it may change"),
});
const node = text.optional().describe("Several nodes: the one that stored it");
const delivery = z
  .looseObject({
    id: text,
    endpointUrl: text,
    endpointLabel: text,
    event: text,
    payload: anyMap,
    attempts: z.array(
      z.object({
        attemptNumber: count,
        timestamp: text,
        statusCode: count,
        success: z.boolean(),
        errorMessage: text.optional(),
      }),
    ),
    finalStatus: z.enum(["success", "failed", "pending"]),
    createdAt: time,
    node,
  })
  .meta({ id: "Delivery", description: "A delivery of a webhook" });
const settings = z.object({
  file: text,
  path: text,
  exists: z.boolean(),
  hash: text,
  values: anyMap,
});
const auditEntry = z.looseObject({ id: text, ts: time, event: text, outcome: text, node });
const plugin = z.looseObject({ name: text, version: text, hooks: z.array(text), state: text });
const queryCount = z.object({ query: text, count, avgResults: z.number() });
const session = z.object({
  user: z.object({ id: text, name: text, email: text, roles: z.array(text) }),
  permissions: z.array(text),
  paths: anyPaths,
  csrfToken: text.nullable(),
});
const changeResult = z.object({
  op: text,
  path: text.optional(),
  key: text.optional(),
  spec: text.optional(),
  status: text,
  errors: z.array(text),
});
const reference = z.looseObject({ from: text, text, line: count });
const references = z.array(reference).optional().describe("What links to the page, or names it");
const conflict = z.union([
  error,
  z.object({ error: text, current: page.nullable(), yours: anyMap }),
]);
const saved = z.union([page, z.object({ sourcePath: text })]);
const action = z.enum(["publish", "unpublish"]);
const planned = z.object({ sourcePath: text, title: text, action, scheduledAt: text });
const replayed = z.object({
  events: count.describe("Queued, each as a new delivery; with `dryRun` only counted"),
  cursor: text.describe("Continue from here"),
  more: z.boolean(),
});
const missing = { 404: error };
/** Possible error responses of every route that changes something. */
export const changed = { 404: error, 409: error, 413: error, 422: invalid };

/** Responses of each route, without those common to all guarded routes. */
export const answers = {
  session: { 200: session },
  logout: { 200: z.object({ ok: z.literal(true) }), 303: null },
  introspect: {
    200: z.object({
      pages: z.object({ total: count, published: count, drafts: count }),
      plugins: z.array(plugin),
      theme: z.object({ name: text, templates: z.array(text) }),
      forms: z.array(z.object({ name: text, enabled: z.boolean() })),
      config: z.object({ title: text, url: text }),
    }),
  },
  plugins: { 200: listOf(plugin) },
  analytics: {
    200: z.object({
      totalSearches: count,
      topQueries: z.array(queryCount),
      zeroResultQueries: z.array(z.object({ query: text, count })),
    }),
  },
  audit: { 200: z.object({ entries: z.array(auditEntry), total: count }) },
  deliveries: { 200: listOf(delivery) },
  redeliver: { 202: delivery, ...changed },
  replay: { 200: replayed, 202: replayed, ...changed, 410: error },
  me: {
    200: user.extend({
      permissions: z.array(text),
      paths: anyPaths,
      pendingEmail: text
        .nullable()
        .describe("A new address that a link sent to it has not confirmed yet"),
      oidc: z
        .object({ label: text, linked: z.boolean(), removable: z.boolean() })
        .nullable()
        .describe("The OpenID provider of the panel; null without one"),
    }),
    ...missing,
  },
  ownPassword: {
    200: z.object({ updated: z.literal(true), csrfToken: text.nullable() }),
    ...missing,
  },
  users: { 200: z.object({ users: z.array(user), total: count, currentUserId: text }) },
  userCreate: { 201: z.object({ created: z.literal(true), user }), ...changed },
  user: { 200: user, ...missing },
  userUpdate: { 200: z.object({ updated: z.literal(true), user }), ...changed },
  userPassword: { 200: z.object({ updated: z.literal(true) }), ...missing },
  userDelete: { 200: z.object({ deleted: z.literal(true), id: text }), ...changed },
  tokens: { 200: listOf(token) },
  tokenCreate: { 201: token.extend({ token: text.describe("Shown only once") }) },
  tokenRevoke: { 200: z.object({ revoked: z.literal(true), id: text }), ...missing },
  pages: { 200: listOf(pageRow) },
  pageCreate: { 200: dryRunAnswer, 201: saved, ...changed },
  pageSource: { 200: pageSource, ...missing },
  page: { 200: page, ...missing },
  pageUpdate: { 200: z.union([page, dryRunAnswer]), ...changed, 409: conflict },
  pageDelete: {
    200: z.object({
      deleted: z.literal(true),
      sourcePath: text,
      trashId: text.nullable(),
      references,
    }),
    ...changed,
  },
  references: { 200: listOf(reference), ...missing },
  workflow: {
    200: z.object({ sourcePath: text, status, allowedTransitions: z.array(status) }),
    ...missing,
  },
  transition: {
    200: z.object({ transitioned: z.literal(true), sourcePath: text, from: status, to: status }),
    ...changed,
  },
  scheduled: { 200: listOf(planned), ...missing },
  schedule: { 201: planned.omit({ title: true }), ...changed },
  unschedule: { 200: z.object({ dropped: z.literal(true), sourcePath: text }), ...changed },
  history: { 200: z.union([listOf(revision), revision, difference]), ...missing },
  restore: {
    200: z.object({ restored: z.literal(true), sourcePath: text, revision: count }),
    ...changed,
  },
  settings: { 200: settings.extend({ schema: anyMap }), ...missing },
  settingsChange: { 200: settings.extend({ restart: z.literal(true) }), ...changed },
  renderMarkdown: { 200: z.object({ html: text }) },
  devApply: {
    200: z.object({
      dry_run: z.boolean(),
      results: z.array(changeResult),
      summary: z.object({ total: count, valid: count, errors: count }),
    }),
    ...changed,
  },
} as const;
