import type { ErrorTemplateProps } from "#theme";
import ErrorPage from "../error.js";

/** The visitor is known and may not read this page. */
export default function Forbidden(props: ErrorTemplateProps) {
  const { t } = props;
  return <ErrorPage {...props} title={t("error.403.title", "No access")} />;
}
