import type { VNode } from "preact";
import type { FlexRecord, RecordType } from "../../api/content/records.js";
import { href } from "../../app/router.js";
import { Moment } from "../../parts/moment.js";
import { SelectableTable } from "../../parts/lists/selectable-table.js";
import { columnsOf, shownValue, titleOf } from "./columns.js";
import { recordPath } from "./record-paths.js";
import { t } from "./records-texts.js";

/** Records as a table; the first column leads to the form. */
export function RecordTable(props: {
  type: RecordType;
  records: readonly FlexRecord[];
  /** Ids. */
  selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
}): VNode {
  const { type, records: rows, selected, onSelect } = props;
  return (
    <SelectableTable
      {...{ label: type.title, rows, selected, onSelect, selectAll: t("selectAll") }}
      keyOf={({ _id }) => _id}
      selectOne={(record) => t("select", { title: titleOf(type, record) })}
      head={
        <>
          {columnsOf(type).map((field, at) => (
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

function Cells({ type, record }: { type: RecordType; record: FlexRecord }): VNode {
  const [first, ...others] = columnsOf(type);
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
