/** Takes a comment of a visitor. */
import type { Request } from "express";
import { ulid } from "ulid";
import { engineFailureFields, HttpError, type SiteContext } from "#kernel";
import type { SiteUser } from "../../auth/contract.js";
import type { PageEntry } from "../../content/contract.js";
import type {} from "../../email/contract.js";
import type { GuardObstacle, SentFields, Text } from "../../forms/contract.js";
import type {} from "../../markdown/contract.js";
import { commentFields, SUBJECT, type PageComments } from "../page-comments.js";
import type { CommentStore, StoredComment } from "../comment-store.js";
import type { CommentsSection, CommentStatus } from "../contract.js";
import type { Moderation } from "../moderation.js";

/** Dependencies of receiving comments. */
export interface ReceiveDependencies {
  readonly site: SiteContext;
  readonly section: CommentsSection;
  readonly store: CommentStore;
  readonly pages: PageComments;
  readonly moderation: Moderation;
}
/** A comment that was not accepted. */
export interface CommentRejection extends Omit<GuardObstacle, "status"> {
  readonly status: 401 | 409 | 422 | 429;
  readonly errors: ReadonlyMap<string, string>;
}
/** The outcome of a comment. */
export interface ReceivedComment {
  readonly entry: PageEntry;
  readonly lang: string;
  readonly sent: SentFields;
  readonly parent: string | null;
  readonly result: StoredComment | CommentRejection;
}
type Arrived = Omit<ReceivedComment, "result"> & { readonly isSpam: boolean; readonly t: Text };

/** More links than this wait for a moderator, even on sites without moderation. */
const MAX_LINKS = 2;

/** @throws HttpError 400, 404, 415. */
export async function receiveComment(
  parts: ReceiveDependencies,
  req: Request,
): Promise<ReceivedComment> {
  const { site, pages } = parts;
  const { guard } = site.use("forms");
  const sent = await guard.read(req);
  const content = site.use("content");
  const asked = readText(sent, "lang");
  const lang = content.languages.supported.includes(asked) ? asked : content.languages.main;
  const view = content.view(req.ctx.state.viewer);
  const entry = pages.find(view, readText(sent, "route"), lang);
  if (entry === null) throw noPage();
  const parent = await findParent(parts, entry, readText(sent, "parent"));
  const t: Text = site.use("render", { optional: true })?.texts(lang) ?? ((_, text) => text);
  const { verdict } = await guard.judge(SUBJECT, sent);
  const obstacle = await guard.obstacle(req, { subject: SUBJECT, verdict, t });
  const arrived = { entry, lang, sent, parent, isSpam: verdict === "spam", t };
  const result =
    obstacle === null
      ? await keep(parts, req, arrived)
      : { ...obstacle, errors: new Map<string, string>() };
  return { entry, lang, sent, parent, result };
}

/** 404 for a page that takes no comments, or that the visitor may not see: the same for both. */
export function noPage(): HttpError {
  return new HttpError(404, "route: there is no page with comments", { code: "ERR_COMMENTS_PAGE" });
}

/** A field of the body as text; empty without one. */
function readText(sent: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
  return typeof value === "string" ? value : "";
}

/** The comment that is replied to; of a reply the comment above it. */
async function findParent(
  { store, pages }: ReceiveDependencies,
  entry: PageEntry,
  id: string,
): Promise<string | null> {
  if (id === "") return null;
  const parent = (await store.of(pages.keyOf(entry))).find((one) => one.id === id);
  return parent?.status === "approved" ? (parent.parent ?? parent.id) : null;
}

/** Checks, stores and announces a comment. */
async function keep(
  parts: ReceiveDependencies,
  req: Request,
  arrived: Arrived,
): Promise<StoredComment | CommentRejection> {
  const { section, store, moderation } = parts;
  const { t } = arrived;
  const draft = createDraft(parts, req, arrived);
  if ("code" in draft) return draft;
  const { html, obstacle } = await parts.site.use("markdown").renderVisitorText(draft.text);
  if (obstacle === "text") return unrenderable(t);
  // Without HTML it is rendered when it is first shown.
  const comment = { ...draft, html: obstacle === null ? html : null };
  if (!(await store.add(comment, section.max_per_page))) {
    const message = t("comments.full", "This page takes no more comments.");
    return rejection(409, "ERR_COMMENTS_FULL", message);
  }
  if (comment.status === "approved") await moderation.added(comment);
  if (comment.status !== "spam") await notify(parts, arrived.entry, comment);
  return comment;
}

function unrenderable(t: Text): CommentRejection {
  const message = t("form.check", "Please check these entries:");
  const text = t(
    "comments.marks",
    "This text has too many or too deeply nested marks to be shown.",
  );
  const errors = new Map([["text", text]]);
  return rejection(422, "ERR_COMMENTS_TEXT", message, errors);
}

function rejection(
  status: CommentRejection["status"],
  code: string,
  message: string,
  errors: CommentRejection["errors"] = new Map(),
): CommentRejection {
  return { status, code, message, errors, retryAfter: null };
}

function createDraft(
  { site, section, pages }: ReceiveDependencies,
  req: Request,
  { entry, lang, sent, parent, isSpam, t }: Arrived,
): StoredComment | CommentRejection {
  const user = findAccount(site, req);
  const asksName = section.from === "anyone";
  if (user === null && !asksName) {
    const message = t("comments.login", "Please log in to comment.");
    return rejection(401, "ERR_COMMENTS_LOGIN", message);
  }
  const { values, errors } = commentFields(site.use("forms"), asksName, t).check(sent, t);
  if (errors.size > 0) {
    const message = t("form.check", "Please check these entries:");
    return rejection(422, "ERR_COMMENTS_INVALID", message, errors);
  }
  const at = site.runtime.clock.now();
  const text = readText(values, "text");
  const ofAccount = user?.name ?? t("comments.visitor", "Visitor");
  return {
    id: ulid(at),
    page: pages.keyOf(entry),
    at,
    text,
    html: null,
    lang,
    parent,
    status: isSpam ? "spam" : pickStatus(section, text),
    name: asksName ? readText(values, "name").replaceAll(/\p{C}+/gu, " ") : ofAccount,
    email: readText(values, "email"),
    user: user?.id ?? null,
  };
}

/** A comment that another site has sent is not from the account whose cookie came with it. */
function findAccount(site: SiteContext, req: Request): SiteUser | null {
  const user = req.ctx.state.siteUser;
  return user && !site.use("security").isFromElsewhere(req.headers) ? user : null;
}

function pickStatus({ moderated }: CommentsSection, text: string): CommentStatus {
  const links = text.match(/https?:\/\//gi)?.length ?? 0;
  return moderated || links > MAX_LINKS ? "pending" : "approved";
}

/** Mails the moderators; a failure is logged and does not lose the comment. */
async function notify(
  { site, section }: ReceiveDependencies,
  entry: PageEntry,
  { name, text, status }: StoredComment,
): Promise<void> {
  const email = site.use("email", { optional: true });
  if (email === undefined || section.notify.length === 0) return;
  const { title, url } = site.settings.site;
  const admin = site.use("admin", { optional: true });
  const panel = admin === undefined ? [] : [`${url}${admin.path}/plugins/comments`];
  const lines = [`${name} (${status}):`, "", text, "", "-- ", `${url}${entry.url}`, ...panel];
  await email
    .send({
      to: section.notify,
      subject: `${title}: ${entry.title}`,
      text: `${lines.join("\n")}\n`,
    })
    .catch((error: unknown) => site.log.error("comments.mail_failed", engineFailureFields(error)));
}
