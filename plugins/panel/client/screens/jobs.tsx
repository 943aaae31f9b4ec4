import { RotateCw } from "lucide";
import type { VNode } from "preact";
import type { ScreenProps } from "../app/router.js";
import { texts } from "../app/texts.js";
import { attempt, done } from "../app/toasts.js";
import de from "../locales/de/jobs.json";
import en from "../locales/en/jobs.json";
import { Icon } from "../parts/icon.js";
import { FilterSelect, Paged, Table } from "../parts/table.js";
import { useLoaded } from "../parts/loading.js";
import { fullMoment, Moment } from "../parts/moment.js";
import { call, type Answer, type Item } from "../api/request.js";
import { may } from "../api/session.js";

type JobList = Answer<"GET /jobs">;
type JobRow = Item<"GET /jobs">;

const t = texts({ en, de });
const LIMIT = 50;
const STATES = ["waiting", "running", "dead"] as const;
const KINDS = { waiting: "warn", running: "good", dead: "bad" } as const;

/** Stored jobs of the background work. */
export default function Jobs({ query }: ScreenProps): VNode {
  const [queue, state] = [query.get("queue") ?? "", query.get("state") ?? ""];
  const offset = Number(query.get("offset") ?? 0);
  const filter = { queue, state, limit: LIMIT, offset };
  const jobs = useLoaded(JSON.stringify(filter), () => call("GET /jobs", { query: filter }));
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
        <button type="button" onClick={jobs.reload}>
          <Icon of={RotateCw} />
          {t("reload")}
        </button>
        <p>{t("why")}</p>
      </header>
      <div class="row" role="search">
        <FilterSelect
          name="queue"
          label={t("queue")}
          value={queue}
          any={t("anyQueue")}
          options={queueOptions(jobs.data)}
        />
        <FilterSelect
          name="state"
          label={t("state")}
          value={state}
          any={t("anyState")}
          options={STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
        />
      </div>
      <Paged
        of={jobs}
        offset={offset}
        limit={LIMIT}
        count={(n) => (n === 0 ? t("none") : t("count", { n }))}
      >
        {({ items }) => items.length > 0 && <List items={items} onDone={jobs.reload} />}
      </Paged>
    </div>
  );
}

function queueOptions(jobs: JobList | undefined): { value: string; label: string }[] {
  return Object.entries(jobs?.queues ?? {}).map(([name, { waiting, running, dead }]) => {
    return { value: name, label: t("queue.counts", { name, n: waiting + running + dead }) };
  });
}

interface ListProps {
  items: readonly JobRow[];
  /** Called after the change, to load again what is shown. */
  onDone(): void;
}

function List({ items, onDone }: ListProps): VNode {
  return (
    <Table
      label={t("title")}
      columns={[
        { label: t("queue") },
        { label: t("state") },
        { label: t("attempts"), wideOnly: true },
        { label: t("created"), wideOnly: true },
        { label: t("actions"), isActions: true },
      ]}
    >
      {items.map((job) => (
        <Row key={job.id} job={job} onDone={onDone} />
      ))}
    </Table>
  );
}

interface RowProps {
  job: JobRow;
  /** Called after the change, to load again what is shown. */
  onDone(): void;
}

function Row({ job, onDone }: RowProps): VNode {
  const { id, queue, state, attempts, createdAt, lastError } = job;
  const retry = (): Promise<boolean> =>
    attempt(async () => {
      await call("POST /jobs/:id/retry", { params: { id } });
      done(t("retry.done"));
      onDone();
    });
  return (
    <tr>
      <td class="break">
        {queue}
        {lastError !== null && (
          <small class="dim block">
            {t("error")}: {lastError}
          </small>
        )}
      </td>
      <td>
        <span class={`badge ${KINDS[state]}`}>{t(`state.${state}`)}</span>
      </td>
      <td class="wide-only">{attempts}</td>
      <td class="wide-only dim">
        <Moment at={createdAt} />
      </td>
      <td class="end">
        {state === "dead" && may("config.update") && (
          <button
            type="button"
            aria-label={t("retry.label", { queue, time: fullMoment(createdAt) })}
            onClick={() => void retry()}
          >
            {t("retry")}
          </button>
        )}
      </td>
    </tr>
  );
}
