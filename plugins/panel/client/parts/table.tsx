import type { ComponentChildren, VNode } from "preact";
import type { PanelColumn, PanelPagerProps } from "../../browser-contract.js";
import { setQuery } from "../app/router.js";
import { t } from "../app/texts.js";
import { type Loaded, Loading } from "./loading.js";

interface TableProps {
  label: string;
  columns: readonly PanelColumn[];
  /** True for rows with long texts: a narrow window shows their cells one below the other. */
  isStacked?: boolean;
  children?: ComponentChildren;
}

/** A table that scrolls sideways inside its frame when the window is narrow, or is stacked. */
export function Table(props: TableProps): VNode {
  return (
    <div
      class={`table-wrap ${props.isStacked === true ? "stacked" : ""}`}
      tabIndex={0}
      role="region"
      aria-label={props.label}
    >
      <table>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <Head key={column.label} {...column} />
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}

function Head({ label, wideOnly = false, isActions = false }: PanelColumn): VNode {
  return (
    <th scope="col" class={wideOnly ? "wide-only" : undefined}>
      {isActions ? <span class="visually-hidden">{label}</span> : label}
    </th>
  );
}

/** Steps through a long list; nothing for a short one. */
export function Pager({ offset, limit, total, onMove }: PanelPagerProps): VNode | null {
  if (total <= limit && offset === 0) return null;
  const to = Math.min(offset + limit, total);
  return (
    <nav class="pager" aria-label={t("pager.range", { from: offset + 1, to, total })}>
      <button
        type="button"
        disabled={offset === 0}
        onClick={() => onMove(Math.max(0, offset - limit))}
      >
        {t("pager.previous")}
      </button>
      <span>{t("pager.range", { from: offset + 1, to, total })}</span>
      <button type="button" disabled={to >= total} onClick={() => onMove(offset + limit)}>
        {t("pager.next")}
      </button>
    </nav>
  );
}

interface PagedProps<T extends { readonly total: number }> {
  of: Loaded<T>;
  offset: number;
  limit: number;
  /** The line above the list. */
  count(total: number): string;
  children(data: T): ComponentChildren;
}

/** A part of a long list with its count and pager; the offset is in the address. */
export function Paged<T extends { readonly total: number }>({
  of,
  offset,
  limit,
  count,
  children,
}: PagedProps<T>): VNode {
  return (
    <Loading of={of}>
      {(data) => (
        <>
          <p class="dim" role="status">
            {count(data.total)}
          </p>
          {children(data)}
          <Pager
            offset={offset}
            limit={limit}
            total={data.total}
            onMove={(to) => setQuery({ offset: to === 0 ? "" : String(to) })}
          />
        </>
      )}
    </Loading>
  );
}

interface FilterSelectProps {
  /** Name in the address. */
  name: string;
  label: string;
  value: string;
  /** Text of the choice that narrows nothing. */
  any: string;
  options: readonly { value: string; label: string }[];
}

/** A list of values that narrows the shown screen; the choice stands in the address. */
export function FilterSelect({ name, label, value, any, options }: FilterSelectProps): VNode {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value, offset: "" })}
    >
      <option value="">{any}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

interface SearchInputProps {
  label: string;
  /** `q` of the address. */
  value: string;
}

/** A search box above a list; its text is `q` of the address. */
export function SearchInput({ label, value }: SearchInputProps): VNode {
  return (
    <input
      class="grow"
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={(event) => setQuery({ q: event.currentTarget.value, offset: "" })}
    />
  );
}

interface ViewChoiceProps {
  label: string;
  /** The view in the address; empty: the first one. */
  view: string;
  views: readonly { readonly name: string; readonly label: string }[];
}

/** Buttons that choose how a screen shows its list; the choice is `view` of the address. */
export function ViewChoice(props: ViewChoiceProps): VNode {
  return (
    <div class="segments" role="group" aria-label={props.label}>
      {props.views.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          aria-pressed={props.view === name}
          onClick={() => setQuery({ view: name })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** A table whose rows can be selected for a bulk action. */
interface SelectableTableProps<T> {
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
