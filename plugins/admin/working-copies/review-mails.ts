import { engineFailureFields, type SiteContext } from "#kernel";
import { findMailer, linkMail } from "../accounts/account-mail.js";
import { allUsers } from "../accounts/all-users.js";
import type { Roles } from "../accounts/roles.js";
import { mayAt } from "../accounts/rights.js";
import type { EmailService } from "../../email/contract.js";
import type { WorkingCopyPerson } from "./working-copy-store.js";

const REQUESTED = "panel-review-requested";
const SENT_BACK = "panel-review-sent-back";
const APPROVED = "panel-review-approved";
/** Reviewers above this number receive no mail: they see the request on their dashboard. */
const MAX_REVIEWERS = 50;
/** A request that is a month old is found on the dashboard. */
const USEFUL_SECONDS = 30 * 86_400;

/** Registers the mails about reviews, which a theme can override. */
export function addReviewMails(site: SiteContext): void {
  const email = site.use("email", { optional: true });
  email?.addTemplate(
    REQUESTED,
    linkMail({
      subject: "{{person}} asks for a review: {{page}}",
      before: "{{person}} asks you to review changes of the page “{{page}}” of {{site}}. {{note}}",
      button: "See the changes",
      after: "You receive this mail because your account may publish this page.",
    }),
  );
  email?.addTemplate(
    SENT_BACK,
    linkMail({
      subject: "Sent back: {{page}}",
      before:
        "{{person}} sent your changes of the page “{{page}}” of {{site}} back to you. {{note}}",
      button: "Go on writing",
      after: "Change the text, then ask for a review again.",
    }),
  );
  email?.addTemplate(
    APPROVED,
    linkMail({
      subject: "Published: {{page}}",
      before:
        "{{person}} approved your changes of the page “{{page}}” of {{site}}: they are published. {{note}}",
      button: "Open the page in the panel",
      after: "There is nothing to do.",
    }),
  );
}

/** A step of a review that sends a notification. */
interface ReviewNews {
  /** The source path of the page. */
  readonly path: string;
  readonly title: string;
  /** Who did it: receives no mail about it. */
  readonly by: WorkingCopyPerson;
  /** Empty: none. */
  readonly note: string;
}

/** Sends the mails about reviews in the background. A mail that cannot be queued is logged and fails nothing. */
export class ReviewMails {
  readonly #site: SiteContext;
  readonly #roles: Roles;

  constructor(site: SiteContext, roles: Roles) {
    this.#site = site;
    this.#roles = roles;
  }

  /** To all accounts with the right to publish the page. */
  requested(news: ReviewNews): void {
    this.#send(REQUESTED, news, () => this.#reviewersOf(news));
  }

  /** To the person who asked. */
  sentBack(news: ReviewNews, to: WorkingCopyPerson): void {
    this.#send(SENT_BACK, news, () => this.#addressOf(to));
  }

  /** To the person who asked. */
  approved(news: ReviewNews, to: WorkingCopyPerson): void {
    this.#send(APPROVED, news, () => this.#addressOf(to));
  }

  #send(template: string, news: ReviewNews, recipients: () => Promise<readonly string[]>): void {
    const mailer = findMailer(this.#site);
    if (mailer === null) return;
    void this.#deliver(mailer, template, news, recipients).catch((error: unknown) => {
      this.#site.log.warn("admin.review_mail_failed", { template, ...engineFailureFields(error) });
    });
  }

  async #deliver(
    mailer: EmailService,
    template: string,
    { path, title, by, note }: ReviewNews,
    recipients: () => Promise<readonly string[]>,
  ): Promise<void> {
    const { site, admin } = this.#site.settings;
    const address = path.split("/").map(encodeURIComponent).join("/");
    const values = {
      site: site.title,
      page: title,
      person: by.name,
      note: note === "" ? "" : `“${note}”`,
      link: `${site.url}${admin.path}/edit/${address}?review`,
    };
    for (const to of await recipients()) {
      // One mail for each: addresses are not shown to others.
      if (mailer.parseAddress(to) === null) continue;
      await mailer.sendTemplate({ template, to, values, usefulSeconds: USEFUL_SECONDS });
    }
  }

  /** None for a token without an account, and for an account that was deleted. */
  async #addressOf({ id }: WorkingCopyPerson): Promise<readonly string[]> {
    const found = await this.#site.use("users").withRoles(id);
    return found === null || found.user.enabled === false ? [] : [found.user.email];
  }

  async #reviewersOf({ path, by }: ReviewNews): Promise<readonly string[]> {
    const users = this.#site.use("users");
    const { ownersOf } = this.#site.use("content");
    const found: string[] = [];
    for await (const user of allUsers(users)) {
      if (user.enabled === false || user.id === by.id) continue;
      const { own, ...rights } = this.#roles.rightsOf(await users.rolesOf(user));
      const reviewer = { id: user.id, ...rights, ownPages: { permissions: own, ownersOf } };
      if (mayAt(reviewer, "pages.publish", path)) found.push(user.email);
      if (found.length === MAX_REVIEWERS) break;
    }
    return found;
  }
}
