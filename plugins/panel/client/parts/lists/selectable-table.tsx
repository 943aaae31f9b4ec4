import type { ComponentChildren, VNode } from "preact";

/** A table whose rows can be selected for a bulk action. */
export interface SelectableTableProps<T> {
  /** Name of the table for screen readers. */
  label: string;
  rows: readonly T[];
  keyOf(row: T): string;
  /** Keys. */
  selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
  /** Label of the checkbox that selects all rows. */
  selectAll: string;
  /** Label of a row's checkbox. */
  selectOne(row: T): string;
  /** Header cells beside that of the checkboxes. */
  head: ComponentChildren;
  /** Cells of a row beside its checkbox. */
  cells(row: T): ComponentChildren;
}

/** A wide table with a column of checkboxes; it scrolls sideways inside its frame in narrow windows. */
export function SelectableTable<T>(props: SelectableTableProps<T>): VNode {
  const { label, rows, keyOf, selected, onSelect } = props;
  const keys = rows.map(keyOf);
  const areAll = keys.every((key) => selected.has(key));
  const toggle = (key: string): void => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect(next);
  };
  return (
    <div class="table-wrap" tabIndex={0} role="region" aria-label={label}>
      <table class="pages-table">
        <thead>
          <tr>
            <th class="check">
              <input
                type="checkbox"
                aria-label={props.selectAll}
                checked={areAll}
                onChange={() => onSelect(new Set(areAll ? [] : keys))}
              />
            </th>
            {props.head}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              <td class="check">
                <input
                  type="checkbox"
                  aria-label={props.selectOne(row)}
                  checked={selected.has(keyOf(row))}
                  onChange={() => toggle(keyOf(row))}
                />
              </td>
              {props.cells(row)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
