import type { ComponentChildren, VNode } from "preact";
import type { PanelColumn } from "../../../browser-contract.js";

/** A table that scrolls sideways inside its frame when the window is narrow, or is stacked. */
export function Table(props: {
  label: string;
  columns: readonly PanelColumn[];
  /** True for rows with long texts: a narrow window shows their cells one below the other. */
  isStacked?: boolean;
  children?: ComponentChildren;
}): VNode {
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
