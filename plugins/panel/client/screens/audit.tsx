import type { VNode } from "preact";
import type { ScreenProps } from "../app/router.js";
import { texts } from "../app/texts.js";
import de from "../locales/de/audit.json";
import en from "../locales/en/audit.json";
import { FilterSelect, Paged, Table } from "../parts/table.js";
import { auditEvents, EventName } from "../parts/event-name.js";
import { useLoaded } from "../parts/loading.js";
import { Moment } from "../parts/moment.js";
import { call, type Answer } from "../api/request.js";

type AuditEntry = Answer<"GET /audit">["entries"][number];

const t = texts({ en, de });
const LIMIT = 50;
const MAX_ACCOUNTS = 200;
const OUTCOMES = ["success", "failure"] as const;

/** Lists who did what. */
export default function Audit({ query }: ScreenProps): VNode {
  const offset = Number(query.get("offset") ?? 0);
  const filter = {
    event: query.get("event") ?? "",
    actor: query.get("actor") ?? "",
    outcome: query.get("outcome") ?? "",
  };
  const asked = { ...filter, limit: LIMIT, offset };
  const log = useLoaded(JSON.stringify(asked), () => call("GET /audit", { query: asked }));
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
        <p>{t("why")}</p>
      </header>
      <Filters {...filter} />
      <Paged
        of={log}
        offset={offset}
        limit={LIMIT}
        count={(n) => (n === 0 ? t("none") : t("count", { n }))}
      >
        {({ entries }) => entries.length > 0 && <Entries entries={entries} />}
      </Paged>
    </div>
  );
}

interface FiltersProps {
  event: string;
  actor: string;
  outcome: string;
}

function Filters(filter: FiltersProps): VNode {
  const accounts = useLoaded("accounts", () =>
    call("GET /users", { query: { limit: MAX_ACCOUNTS, offset: 0 } }),
  );
  const people = (accounts.data?.users ?? []).map((one) => ({
    value: one.id,
    label: one.name || one.username || one.email,
  }));
  return (
    <div class="row" role="search">
      <FilterSelect
        name="event"
        label={t("event")}
        value={filter.event}
        any={t("anyEvent")}
        options={auditEvents()}
      />
      <FilterSelect
        name="actor"
        label={t("actor")}
        value={filter.actor}
        any={t("anyActor")}
        options={people}
      />
      <FilterSelect
        name="outcome"
        label={t("outcome")}
        value={filter.outcome}
        any={t("anyOutcome")}
        options={OUTCOMES.map((value) => ({ value, label: t(`outcome.${value}`) }))}
      />
    </div>
  );
}

interface EntriesProps {
  entries: readonly AuditEntry[];
}

function Entries({ entries }: EntriesProps): VNode {
  return (
    <Table
      label={t("title")}
      columns={[
        { label: t("event") },
        { label: t("actor") },
        { label: t("target"), wideOnly: true },
        { label: t("where"), wideOnly: true },
        { label: t("when") },
      ]}
    >
      {entries.map((entry) => (
        <Row key={entry.id} entry={entry} />
      ))}
    </Table>
  );
}

interface RowProps {
  entry: AuditEntry;
}

function Row({ entry }: RowProps): VNode {
  const { event, actor, target, detail, outcome, ip, ts } = entry;
  const details = Object.entries(detail).map(([key, value]) => `${key}: ${String(value)}`);
  return (
    <tr>
      <td>
        <EventName event={event} />{" "}
        {outcome === "failure" && <span class="badge bad">{t("outcome.failure")}</span>}
        <small class="dim narrow-only break">{target?.id}</small>
      </td>
      <td class="break">{actor?.name ?? t("unknown")}</td>
      <td class="wide-only break">
        {target?.id}
        {details.length > 0 && <small class="dim block">{details.join(", ")}</small>}
      </td>
      <td class="wide-only dim">{ip}</td>
      <td class="dim">
        <Moment at={ts} />
      </td>
    </tr>
  );
}
