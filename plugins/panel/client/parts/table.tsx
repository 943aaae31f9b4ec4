import type { ComponentChildren, VNode } from "preact";
import type { PanelColumn, PanelPagerProps } from "../../browser-contract.js";
import { t } from "../app/texts.js";

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
