/** The form below a page that takes comments. */
import { escapeHtml } from "#kernel";
import type { FormsService, PluginForm, SentFields, Text } from "../forms/contract.js";

/** Where comments are sent. */
export const ACTION = "/api/comments";

/** The form as it is shown. */
export interface CommentForm {
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
export function commentFields(
  forms: FormsService,
  { t, asksName }: { t: Text; asksName: boolean },
): PluginForm {
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
  return commentFields(forms, { t: state.t, asksName }).html({
    ...state,
    action,
    hidden: more.join(""),
  });
}

function hiddenField(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
}
