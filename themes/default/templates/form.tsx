import { Html } from "#theme";
import type { FormTemplateProps } from "#theme";

/** A form on a page of its own, or the thanks after one. */
export default function FormPage(props: FormTemplateProps) {
  const { Layout, heading, html } = props;
  return (
    <Layout {...props} kind="form">
      <div class="wrap narrow">
        <h1>{heading}</h1>
        <Html class="prose" html={html} />
      </div>
    </Layout>
  );
}
