import type { VNode } from "preact";
import type { PageRow } from "../../api/answers.js";
import { FormDialog } from "../../parts/forms.js";
import { UsedBy } from "../../parts/used-by.js";
import type { Operation } from "./batch.js";
import { t } from "./pages-texts.js";

interface DeletePagesProps {
  pages: readonly PageRow[];
  /** Source paths of the files of a page that are deleted. */
  filesOf(page: PageRow): readonly string[];
  /** Deletes each file. */
  each(make: (path: string) => Operation): Promise<void>;
  onClose(): void;
}

/** Asks before pages go to the trash; for a single one, it names what uses it. */
export function DeletePages({ pages, filesOf, each, onClose }: DeletePagesProps): VNode {
  const [page, ...others] = pages;
  return (
    <FormDialog
      title={t("delete.title", { n: pages.length })}
      action={t("trash")}
      danger
      onClose={onClose}
      onSubmit={() => each((path) => ({ op: "delete", path }))}
    >
      <p>{t("delete.why")}</p>
      {page !== undefined && others.length === 0 && <UsedBy paths={filesOf(page)} />}
    </FormDialog>
  );
}
