import type { VNode } from "preact";
import type { FlexRecord, RecordType } from "../../api/records.js";
import { href } from "../../app/router.js";
import { Moment } from "../../parts/moment.js";
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
  const { type, records, selected, onSelect } = props;
  const columns = columnsOf(type);
  const areAll = records.every(({ _id }) => selected.has(_id));
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <div class="table-wrap" tabIndex={0} role="region" aria-label={type.title}>
      <table class="pages-table">
        <thead>
          <tr>
            <th class="check">
              <input
                type="checkbox"
                aria-label={t("selectAll")}
                checked={areAll}
                onChange={() => onSelect(new Set(areAll ? [] : records.map(({ _id }) => _id)))}
              />
            </th>
            {columns.map((field, at) => (
              <th key={field.name} class={at > 1 ? "wide-only" : undefined}>
                {field.label}
              </th>
            ))}
            <th class="wide-only">{t("changed")}</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <Row
              key={record._id}
              type={type}
              record={record}
              isSelected={selected.has(record._id)}
              onToggle={() => toggle(record._id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row(props: {
  type: RecordType;
  record: FlexRecord;
  isSelected: boolean;
  onToggle(): void;
}): VNode {
  const { type, record, isSelected, onToggle } = props;
  const title = titleOf(type, record);
  const [first, ...others] = columnsOf(type);
  const shown = first === undefined ? "" : shownValue(first, record[first.name]);
  return (
    <tr>
      <td class="check">
        <input
          type="checkbox"
          aria-label={t("select", { title })}
          checked={isSelected}
          onChange={onToggle}
        />
      </td>
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
    </tr>
  );
}
