/**
 * Swagger UI has a dark theme by class, but no script that selects it by the system's setting. Runs
 * before the page is painted.
 */
export const themeScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();
`;

/** Replacements for colors of Swagger UI with too little contrast, in its light and dark themes. */
export const themeStyle = `html:not(.dark-mode) {
  background: #fff;
}
html:not(.dark-mode) .swagger-ui .info .title small {
  background: #5a6170;
}
html:not(.dark-mode) .swagger-ui .info .title small.version-stamp {
  background: #4d6b02;
}
html:not(.dark-mode) .swagger-ui .info a,
html:not(.dark-mode) .swagger-ui .info .url {
  color: #1f5fb5;
}
html:not(.dark-mode) .swagger-ui .btn.authorize {
  border-color: #187a4b;
  color: #187a4b;
}
html:not(.dark-mode) .swagger-ui .btn.authorize svg {
  fill: #187a4b;
}
html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method {
  background: #187a4b;
}
html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method {
  background: #1664b0;
}
html:not(.dark-mode) .swagger-ui .opblock-patch .opblock-summary-method {
  background: #0f766e;
}
html:not(.dark-mode) .swagger-ui .opblock-delete .opblock-summary-method {
  background: #c81e1e;
}
html:not(.dark-mode) .swagger-ui .parameter__in,
html:not(.dark-mode) .swagger-ui .json-schema-2020-12__attribute--muted,
html:not(.dark-mode) .swagger-ui .json-schema-2020-12-expand-deep-button {
  color: #595959;
}
html:not(.dark-mode) .swagger-ui .json-schema-2020-12__constraint--string {
  background: #8a6100;
}
html.dark-mode .swagger-ui .examples-select__section-label,
html.dark-mode .swagger-ui .header-col {
  color: #e4e6e6;
}
/* The highlighter sets this colour of numbers inline. */
.swagger-ui .microlight span[style*='rgb(211, 99, 99)'] {
  color: #f19a9a !important;
}
`;
