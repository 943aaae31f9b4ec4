import { Download, Plus, Upload } from "lucide";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { NEW_RECORD, recordPath, href, navigate, type ScreenProps } from "../../app/router.js";
import { t as app } from "../../app/texts.js";
import { attempt } from "../../app/toasts.js";
import { Icon } from "../../parts/icon.js";
import { Paged, SearchInput, SelectableTable } from "../../parts/table.js";
import { Loading, useLoaded } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { allRecords, selectColumns, recordType, shownValue, t, readTitle } from "./record-type.js";
import { DeleteRecords } from "./delete-records.js";
import { ImportDialog } from "./import-dialog.js";
import { call } from "../../api/request.js";
import { may } from "../../api/session.js";
import type { FlexRecord, RecordType } from "../../api/answers.js";

const LIMIT = 50;

/** The records of a type: table, search, import and export. */
export default function Records({ params, query }: ScreenProps): VNode {
  const name = params["type"] ?? "";
  const type = useLoaded(name, () => recordType(name));
  return (
    <div class="screen">
      <Loading of={type}>
        {(type) =>
          type === null ? <h1>{app("notFound")}</h1> : <RecordList type={type} query={query} />
        }
      </Loading>
    </div>
  );
}

interface RecordListProps {
  type: RecordType;
  query: URLSearchParams;
}

function RecordList({ type, query }: RecordListProps): VNode {
  const filter = { q: query.get("q") ?? "", offset: Number(query.get("offset") ?? 0) };
  const key = JSON.stringify(filter);
  const records = useLoaded(key, () =>
    call("GET /flex/:type", { params: { type: type.name }, query: { ...filter, limit: LIMIT } }),
  );
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setSelected(new Set()), [key]);
  return (
    <>
      <Head type={type} onImported={records.reload} />
      <div class="row" role="search">
        <SearchInput label={t("search")} value={filter.q} />
      </div>
      {selected.size > 0 && may("flex.write") && (
        <BulkBar
          type={type}
          ids={[...selected]}
          onDone={() => (setSelected(new Set()), records.reload())}
        />
      )}
      <Paged
        of={records}
        offset={filter.offset}
        limit={LIMIT}
        count={(n) => (n === 0 ? t(filter.q === "" ? "none" : "noMatch") : t("count", { n }))}
      >
        {({ items }) =>
          items.length > 0 && (
            <RecordTable type={type} records={items} selected={selected} onSelect={setSelected} />
          )
        }
      </Paged>
    </>
  );
}

interface HeadProps {
  type: RecordType;
  /** Called after an import, to load the records again. */
  onImported(): void;
}

function Head({ type, onImported }: HeadProps): VNode {
  const [isImporting, setImporting] = useState(false);
  return (
    <header class="screen-head">
      <div>
        <a href={href("/records")} data-screen>
          {t("title")}
        </a>
        <h1>{type.title}</h1>
      </div>
      <div class="row">
        <button type="button" onClick={() => void attempt(() => exportCsv(type))}>
          <Icon of={Download} />
          {t("export")}
        </button>
        {may("flex.write") && (
          <>
            <button type="button" onClick={() => setImporting(true)}>
              <Icon of={Upload} />
              {t("import")}
            </button>
            <a class="button primary" href={href(recordPath(type.name, NEW_RECORD))} data-screen>
              <Icon of={Plus} />
              {t("new")}
            </a>
          </>
        )}
      </div>
      {isImporting && (
        <ImportDialog type={type} onClose={() => setImporting(false)} onImported={onImported} />
      )}
    </header>
  );
}

interface BulkBarProps {
  type: RecordType;
  ids: readonly string[];
  /** Called after the change, to load again what is shown. */
  onDone(): void;
}

function BulkBar(props: BulkBarProps): VNode {
  const [isAsking, setAsking] = useState(false);
  const n = props.ids.length;
  return (
    <div class="bulk-bar row" role="group" aria-label={t("selected", { n })}>
      <strong>{t("selected", { n })}</strong>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        {app("delete")}
      </button>
      {isAsking && (
        <DeleteRecords
          type={props.type.name}
          ids={props.ids}
          onClose={() => setAsking(false)}
          onDone={props.onDone}
        />
      )}
    </div>
  );
}

async function exportCsv(type: RecordType): Promise<void> {
  const [{ toCsv }, records] = await Promise.all([import("./csv.js"), allRecords(type.name)]);
  const link = document.createElement("a");
  // The mark tells spreadsheets that the text is UTF-8.
  const file = new Blob(["\uFEFF", toCsv(type, records)], { type: "text/csv;charset=utf-8" });
  link.href = URL.createObjectURL(file);
  link.download = `${type.name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

interface RecordTableProps {
  type: RecordType;
  records: readonly FlexRecord[];
  /** Ids. */
  selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
}

/** Records as a table; the first column leads to the form. */
function RecordTable({ type, records: rows, selected, onSelect }: RecordTableProps): VNode {
  return (
    <SelectableTable
      label={type.title}
      rows={rows}
      selected={selected}
      onSelect={onSelect}
      selectAll={t("selectAll")}
      keyOf={({ _id }) => _id}
      selectOne={(record) => t("select", { title: readTitle(type, record) })}
      head={
        <>
          {selectColumns(type).map((field, at) => (
            <th key={field.name} class={at > 1 ? "wide-only" : undefined}>
              {field.label}
            </th>
          ))}
          <th class="wide-only">{t("changed")}</th>
        </>
      }
      cells={(record) => <Cells type={type} record={record} />}
    />
  );
}

interface CellsProps {
  type: RecordType;
  record: FlexRecord;
}

function Cells({ type, record }: CellsProps): VNode {
  const [first, ...others] = selectColumns(type);
  const shown = first === undefined ? "" : shownValue(first, record[first.name]);
  return (
    <>
      <td>
        <a class="page-link" href={href(recordPath(type.name, record._id))} data-screen>
          {shown === "" ? record._id : shown}
        </a>
        {!record._published && <span class="badge warn">{t("hidden")}</span>}
      </td>
      {others.map((field, at) => (
        <td key={field.name} class={at > 0 ? "wide-only" : undefined}>
          {shownValue(field, record[field.name])}
        </td>
      ))}
      <td class="wide-only dim">
        <Moment at={record._updatedAt} />
      </td>
    </>
  );
}

/** All types of records; a single one is opened at once. */
export function RecordTypes(): VNode {
  const types = useLoaded("types", () => call("GET /flex").then(({ items }) => items));
  const [first, ...others] = types.data ?? [];
  const only = others.length === 0 ? first?.name : undefined;
  useEffect(() => {
    if (only !== undefined) navigate(`/records/${only}`, { replace: true });
  }, [only]);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
      </header>
      <Loading of={types}>
        {(items) =>
          items.length === 0 ? (
            <p class="dim">{t("types.none")}</p>
          ) : (
            <ul class="cards plain-list">
              {items.map((type) => (
                <li key={type.name} class="card">
                  <h2>
                    <a href={href(`/records/${type.name}`)} data-screen>
                      {type.title}
                    </a>
                  </h2>
                  {type.description !== "" && <p>{type.description}</p>}
                  <small class="dim">{t("types.fields", { n: type.fields.length })}</small>
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </div>
  );
}
