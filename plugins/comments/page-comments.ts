/** The comments of a page, as its visitors see them. */
import { escapeHtml, type SiteContext } from "#kernel";
import type { ContentView, PageEntry } from "../content/contract.js";
import type { CommentsView, CommentView, PagePropsInput } from "../render/contract.js";
import type { FormsService, PluginForm, SentFields, Text } from "../forms/contract.js";
import type { CommentStore } from "./comment-store.js";
import type { Comment, CommentsSection } from "./contract.js";

/** Name of the parameter that says that a comment waits for approval. */
export const SENT = "commented";
/** Subject of the tokens of comments. */
export const SUBJECT = "comments";

/** Finds pages that take comments, and their comments. */
export class PageComments {
  readonly #site: SiteContext;
  readonly #store: CommentStore;
  readonly #section: CommentsSection;

  constructor(site: SiteContext, store: CommentStore, section: CommentsSection) {
    this.#site = site;
    this.#store = store;
    this.#section = section;
  }

  /** The page at a route, if the visitor sees it and it takes comments. */
  find(view: ContentView, route: string, lang: string): PageEntry | null {
    const entry = view.page(route, lang);
    return entry !== undefined && this.takes(entry) ? entry : null;
  }

  /** `comments` of the front matter, else the default of its blueprint. */
  takes({ frontmatter, template }: PageEntry): boolean {
    const setting = frontmatter["comments"];
    if (setting !== undefined) return setting === true;
    const { blueprints } = this.#site.use("content");
    const field = blueprints.of(template)?.fields.find(({ name }) => name === "comments");
    return field?.default === true;
  }

  keyOf(entry: PageEntry): string {
    return this.#site.use("content").relations.keyOf(entry);
  }

  /** Approved comments with the replies to them, the oldest first. Notes what it reads. */
  async threads(
    view: ContentView,
    entry: PageEntry,
    urlOf: ReplyUrl = replyUrl,
  ): Promise<CommentView[]> {
    const key = this.keyOf(entry);
    view.reads.add(toTag(key));
    const approved = (await this.#store.of(key)).filter(({ status }) => status === "approved");
    const shown = await this.#store.rendered(approved);
    const lang = entry.standsInFor ?? entry.lang;
    const top = shown.filter(({ parent }) => parent === null);
    return top.map((comment) => {
      const replies = shown
        .filter(({ parent }) => parent === comment.id)
        .map((reply) => toView(reply, [], null));
      return toView(comment, replies, urlOf(entry.route, lang, comment.id));
    });
  }

  /** The prop `comments` of pages that take them. */
  async props({ req, entry, view, lang, t }: PagePropsInput): Promise<{ comments?: CommentsView }> {
    if (!this.takes(entry) || !entry.routable) return {};
    const forms = this.#site.use("forms");
    const { guard } = forms;
    const items = await this.threads(view, entry);
    view.expireAt(guard.renewAt());
    const hidden = await guard.fields({
      subject: SUBJECT,
      page: entry.url,
      id: "form-comments",
      trap: t("form.trap", "Leave this field empty"),
    });
    const form = commentForm(forms, this.#asksName, {
      t,
      lang,
      hidden,
      route: entry.route,
      parent: null,
    });
    const isWaiting = new URLSearchParams(req.ctx.search).has(SENT);
    return { comments: { items, total: totalOf(items), form, isWaiting } };
  }

  /** The same in a static export, whose form needs a server at `url` (`forms.static`). */
  async exportedProps({
    entry,
    view,
    lang,
    t,
  }: PagePropsInput): Promise<{ comments?: CommentsView }> {
    if (!this.takes(entry) || !entry.routable) return {};
    const { url, forms: settings } = this.#site.settings.site;
    const isServed = settings.static === "post";
    const urlOf: ReplyUrl = (...address) => (isServed ? url + replyUrl(...address) : null);
    const items = await this.threads(view, entry, urlOf);
    const text = t("form.static", "This form needs the server of the site.");
    // The server has the secret of tokens, so it shows the form again before it accepts it.
    const form = isServed
      ? commentForm(this.#site.use("forms"), this.#asksName, {
          t,
          lang,
          hidden: "",
          route: entry.route,
          parent: null,
          action: `${url}${ACTION}`,
        })
      : `<p class="notice" role="note">${escapeHtml(text)}</p>`;
    return { comments: { items, total: totalOf(items), form, isWaiting: false } };
  }

  get #asksName(): boolean {
    return this.#section.from === "anyone";
  }
}

function totalOf(items: readonly CommentView[]): number {
  return items.reduce((sum, { replies }) => sum + 1 + replies.length, 0);
}

/** The cache tag of everything that depends on the comments of a page. */
export function toTag(key: string): string {
  return `comments:${key}`;
}

function toView(
  { id, name, at, html }: Comment,
  replies: readonly CommentView[],
  url: string | null,
): CommentView {
  return { id, name, at: new Date(at).toISOString(), html, replies, replyUrl: url };
}

type ReplyUrl = (route: string, lang: string, to: string) => string | null;

function replyUrl(route: string, lang: string, to: string): string {
  return `/comments/reply?${new URLSearchParams({ route, lang, to }).toString()}`;
}

/** The address that comments are sent to. */
const ACTION = "/api/comments";

/** The form as it is shown. */
interface CommentForm {
  readonly t: Text;
  /** Route and language of the page. */
  readonly route: string;
  readonly lang: string;
  /** Id of the comment that it replies to; null: the page. */
  readonly parent: string | null;
  /** Default: that of this site. */
  readonly action?: string;
  /** The hidden fields of the guard. */
  readonly hidden: string;
  readonly values?: SentFields;
  readonly errors?: ReadonlyMap<string, string>;
  readonly message?: string;
}

/** The fields of a comment. `asksName`: false for accounts, which have one. */
export function commentFields(forms: FormsService, asksName: boolean, t: Text): PluginForm {
  const email = {
    type: "email",
    label: t("comments.email", "Email address"),
    help: t("comments.email_help", "Is not published."),
    validate: { max: 254 },
  };
  const name = {
    type: "text",
    label: t("comments.name", "Name"),
    required: true,
    validate: { max: 80 },
  };
  const text = {
    type: "textarea",
    label: t("comments.text", "Your comment"),
    required: true,
    help: t("comments.help", "**bold**, *italic*, `code`, > quote, lists and links work."),
    validate: { max: 5_000 },
  };
  return forms.form("comments", {
    fields: asksName ? { name, email, text } : { text },
    submit: t("comments.send", "Send comment"),
  });
}

/** HTML of the form; every value is escaped. */
export function commentForm(
  forms: FormsService,
  asksName: boolean,
  { route, lang, parent, hidden, action = ACTION, ...state }: CommentForm,
): string {
  const more = [
    hiddenField("route", route),
    hiddenField("lang", lang),
    parent === null ? "" : hiddenField("parent", parent),
    hidden,
  ];
  return commentFields(forms, asksName, state.t).html({
    ...state,
    action,
    hidden: more.join(""),
  });
}

function hiddenField(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
}
