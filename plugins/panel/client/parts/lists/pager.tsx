import type { VNode } from "preact";
import { t } from "../../app/app-texts.js";
import type { PanelPagerProps } from "../../../browser-contract.js";

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
