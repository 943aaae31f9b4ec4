/** Forms as other plugins see them: the spam guard, submissions of an account, the hook. */
import type { Request } from "express";
import type { Answer, NotifyHook } from "#kernel";
import type {} from "../auth/contract.js";

/** Section `forms` of site.yaml. */
export interface FormsSection {
  least_seconds: number;
  token_hours: number;
  limit: number;
  static: "notice" | "post";
}

/** The fields of a body by name; a repeated one has a list of its values. */
export type SentFields = Readonly<Record<string, unknown>>;

/**
 * The verdict on what was sent. `spam`: the trap for programs was filled in. `early`: sent too soon after
 * the page was made. `token`: the token is missing, invalid or expired.
 */
export interface GuardVerdict {
  readonly verdict: "ok" | "spam" | "early" | "token";
  /** Path of the page that showed the form, from a valid or expired token; empty without one. */
  readonly page: string;
}

/** Says why a submission is not looked at. */
export interface GuardObstacle {
  readonly status: 422 | 429;
  readonly code: string;
  readonly message: string;
  /** Seconds to wait; null: the form may be sent again at once. */
  readonly retryAfter: number | null;
}
/** Looks up a text of the theme. */
export type Text = (key: string, fallback: string) => string;

/** A form that the guard protects. */
export interface GuardedForm {
  /** Names what is sent with the form, such as `form:contact`. */
  readonly subject: string;
  /** Path of the page that shows the form; empty for none. */
  readonly page: string;
  /** Label of the trap. */
  readonly trap: string;
  /** Id of the form in its page. */
  readonly id: string;
}
/** A submission that the guard has judged. */
export interface JudgedSubmission {
  /** Names what was sent, such as `form:contact`. */
  readonly subject: string;
  readonly verdict: GuardVerdict["verdict"];
  /** Texts in the language of the visitor. */
  readonly t: Text;
}
/** A form that is shown again, with its values and errors. */
export interface RepeatedForm {
  /** Path of the page that showed it, from a verdict; empty for none. */
  readonly page: string;
  /** `data-form` of the form. */
  readonly name: string;
  /** Heading of a page of its own. */
  readonly heading: string;
  /** The form in its state. */
  readonly html: string;
}

/**
 * Protects forms of visitors without cookies and third parties: a signed token with the time at which its
 * page was made, a trap for programs, and a limit per address. The token is the same for all visitors of a
 * cached page, and valid in every process with the secret of the site.
 */
export interface FormGuard {
  /** The hidden field with the token, and the trap, for the HTML of a form. */
  fields(form: GuardedForm): Promise<string>;
  /** A token for a program. `subject`: what is sent with it, such as `form:contact`. */
  token(subject: string, page: string): Promise<string>;
  /** Unix ms from which a page that shows a token made now should be rendered again. */
  renewAt(): number;
  /**
   * Reads a body: urlencoded, multipart without files, or JSON.
   * @throws HttpError 400, 413, 415.
   */
  read(req: Request): Promise<SentFields>;
  judge(subject: string, sent: SentFields): Promise<GuardVerdict>;
  /**
   * Says what the client must do before the submission is looked at, in its language; null: nothing. Counts
   * one submission.
   */
  obstacle(req: Request, sent: JudgedSubmission): Promise<GuardObstacle | null>;
  /**
   * The page that showed a form, with the form with `data-form="{name}"` replaced by `html`; a page of its
   * own when the visitor cannot see that page.
   */
  again(req: Request, form: RepeatedForm): Promise<Answer>;
  /** True for a client that expects JSON instead of a page. */
  wantsJson(req: Request): boolean;
}

/** A stored submission. */
export interface Submission {
  /** A ULID: sorts by time. */
  readonly id: string;
  readonly form: string;
  /** Unix ms. */
  readonly at: number;
  /** Language of the page. */
  readonly lang: string;
  /** Path of the page; empty for a program. */
  readonly page: string;
  /** Account of the visitor; null for an anonymous one. */
  readonly user: string | null;
  /** True: the trap for programs was filled in; no mail and no event was sent. */
  readonly spam: boolean;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A form of a plugin as it is shown. */
export interface FormState {
  readonly t: Text;
  /** The address that the form is sent to. */
  readonly action: string;
  /** More HTML inside the form: the fields of the guard. */
  readonly hidden: string;
  /** The typed values; absent: the defaults of the fields. */
  readonly values?: SentFields;
  /** Says what is wrong, by field. */
  readonly errors?: ReadonlyMap<string, string>;
  /** Says what is wrong with the form as a whole. */
  readonly message?: string;
}
/** The definition of a form that has no file. */
export interface FormDefinition {
  /** Definitions of the fields, by name. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Text of the button. */
  readonly submit: string;
}
/** A form of a plugin, with fields in the field language. */
export interface PluginForm {
  /** The HTML of the form; every value is escaped. */
  html(state: FormState): string;
  /** The values, and what does not fit by field, in the language of `t`. */
  check(
    sent: SentFields,
    t: Text,
  ): { values: Readonly<Record<string, unknown>>; errors: ReadonlyMap<string, string> };
}

/**
 * Forms of the site.
 *
 * @example
 * const forms = site.use("forms");
 * const token = await forms.guard.token("survey", "/survey");
 * const mine = await forms.submissionsOf("u1");
 */
export interface FormsService {
  readonly guard: FormGuard;
  /** A form that has no file. */
  form(name: string, definition: FormDefinition): PluginForm;
  /** Names of the forms, sorted. */
  names(): readonly string[];
  /** Stored submissions that an account has sent, the newest first. */
  submissionsOf(userId: string): Promise<readonly Submission[]>;
  /** Deletes them; returns how many. */
  deleteOf(userId: string): Promise<number>;
}

declare module "#kernel" {
  interface Services {
    forms: FormsService;
  }
  interface SiteSettings {
    forms: FormsSection;
  }
  interface HookMap {
    /**
     * After a form was accepted.
     *
     * @example
     * site.hooks.on("onFormSubmit", ({ data, log }) => {
     *   log.info("crm.form", { form: data.form, page: data.page });
     * });
     */
    onFormSubmit: NotifyHook<Submission>;
  }
}
