import { Ellipsis } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { editPath, navigate, setQuery } from "../../app/router.js";
import { attempt } from "../../app/toasts.js";
import { Icon } from "../../parts/icon.js";
import { Menu } from "../../parts/menu.js";
import { call } from "../../api/request.js";
import { may } from "../../api/session.js";
import type { PageRow } from "../../api/answers.js";
import { t } from "./pages-texts.js";
import { MoveDialog } from "./tree-moves.js";
import { canMove } from "./tree.js";

interface RowMenuProps {
  page: PageRow;
  /** Called after the page has moved. */
  onChange(): void;
}

/** The actions on one page of the list. Null without any. */
export default function RowMenu({ page, onChange }: RowMenuProps): VNode | null {
  const [isMoving, setMoving] = useState(false);
  const { title, route } = page;
  const mayMove = may("pages.update", page) && canMove(page);
  if (page.broken !== undefined || !(may("pages.create", page) || mayMove)) return null;
  return (
    <>
      <Menu label={t("row.menu", { title })} summary={<Icon of={Ellipsis} />} isInFrame>
        {may("pages.create", page) && (
          <>
            <button type="button" class="entry" onClick={() => void attempt(() => duplicate(page))}>
              {t("row.duplicate")}
            </button>
            <button type="button" class="entry" onClick={() => setQuery({ new: route })}>
              {t("row.add")}
            </button>
          </>
        )}
        {mayMove && (
          <button type="button" class="entry" onClick={() => setMoving(true)}>
            {t("moveTo")}
          </button>
        )}
      </Menu>
      {isMoving && <MoveDialog page={page} onClose={() => setMoving(false)} onMoved={onChange} />}
    </>
  );
}

async function duplicate({ sourcePath: path }: PageRow): Promise<void> {
  const copy = await call("POST /pages/duplicate", { body: { path } });
  navigate(editPath(copy.sourcePath));
}
