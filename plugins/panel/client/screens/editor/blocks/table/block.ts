/** Tables. */
import { Table } from "lucide";
import { insertTable } from "../../toolbar/formatting.js";
import type { EditorBlock } from "../block.js";
import { t } from "../block-texts.js";

/** Tables. */
export const tableBlock: EditorBlock = {
  name: "table",
  entries: [
    {
      label: t("table"),
      hint: t("table.hint"),
      synonyms: "grid columns rows spreadsheet excel tabelle spalten zeilen |",
      icon: Table,
      group: "layout",
      run: insertTable,
    },
  ],
};
