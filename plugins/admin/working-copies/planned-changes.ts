import { randomUUID } from "node:crypto";
import { z } from "zod";
import { engineFailureFields, type SiteContext } from "#kernel";
import type { Identities } from "../accounts/identities.js";
import { mayAt, toWriteRights } from "../accounts/rights.js";
import type { AdminIdentity } from "../contract.js";
import type { DraftPublisher } from "./draft-publisher.js";
import type { WorkingCopy } from "./working-copy-store.js";
import { planProblem, type WorkingCopies } from "./working-copies.js";

const QUEUE = "planned-changes";
const DELAYS_MS = [10_000, 60_000, 600_000];
/** A job runs this much after it was added at the earliest, so that its plan is stored by then, in ms. */
const STORE_MS = 5_000;

/** Dependencies of planned changes. */
interface PlannedChangesParts {
  readonly site: SiteContext;
  readonly copies: WorkingCopies;
  readonly publisher: DraftPublisher;
  readonly identities: Identities;
  /** Called after a planned text was published. */
  onPublished(path: string, identity: AdminIdentity): void;
}

/** Publishes working copies at a planned time, with the rights that the planning user has at that time. */
export class PlannedChanges {
  readonly #parts: PlannedChangesParts;

  constructor(parts: PlannedChangesParts) {
    this.#parts = parts;
    parts.site.use("jobs").define(QUEUE, {
      payload: z.object({ id: z.string() }),
      delaysMs: DELAYS_MS,
      keepsDead: false,
      run: ({ payload: { id }, isLast }) => this.#run(id, isLast),
    });
  }

  /** Plans the publication of a page's working copy at `at`, Unix ms; replaces an earlier plan. @throws HttpError 404. */
  async plan(
    path: string,
    at: number,
    { id: account, name }: Pick<AdminIdentity, "id" | "name">,
  ): Promise<WorkingCopy> {
    const id = randomUUID();
    const { copies, site } = this.#parts;
    // The job first: one without its plan does nothing, a plan without its job would never be published.
    await this.#queue(id, Math.max(at, site.runtime.clock.now() + STORE_MS));
    return copies.plan(path, { id, at, by: { id: account, name } });
  }

  async #queue(id: string, at: number): Promise<void> {
    await this.#parts.site.use("jobs").add(QUEUE, { id }, { runAt: at });
  }

  /** Does nothing if the plan was changed or cancelled, or if the text is already published. */
  async #run(id: string, isLast: boolean): Promise<void> {
    const { copies, site } = this.#parts;
    const planned = (await copies.list()).find(({ plan }) => plan?.id === id);
    const plan = planned?.plan ?? null;
    if (planned === undefined || plan === null) return;
    const { path } = planned;
    // Jobs can be started before their time.
    if (plan.at > site.runtime.clock.now()) return this.#queue(id, plan.at);
    try {
      const problem = await this.#publish(planned);
      if (problem === null) return;
      await copies.planFailed(path, id, problem);
      site.log.warn("admin.planned_change_failed", { path, problem });
    } catch (error) {
      if (!isLast) throw error;
      await copies.planFailed(path, id, error instanceof Error ? error.message : String(error));
      site.log.error("admin.planned_change_failed", { path, ...engineFailureFields(error) });
    }
  }

  /** The reason why the text is not published; null: it is. */
  async #publish(workingCopy: WorkingCopy): Promise<string | null> {
    const { path, plan } = workingCopy;
    const problem = planProblem(workingCopy);
    if (plan === null || problem !== null) return problem;
    const { identities, publisher, onPublished } = this.#parts;
    const identity = await identities.ofAccount(plan.by.id);
    if (identity === null || !mayAt(identity, "pages.publish", path)) {
      return `${plan.by.name} may no longer publish this page: plan it again with an account that may`;
    }
    const { id, name, email } = identity;
    const outcome = await publisher.publish(
      { path, match: undefined, etag: plan.etag, makesPublic: false },
      { actor: { id, name, email }, rights: toWriteRights(identity), message: "planned" },
    );
    if ("conflict" in outcome) return outcome.conflict.error;
    onPublished(path, identity);
    return null;
  }
}
