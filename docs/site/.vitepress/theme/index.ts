import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { theme, useOpenapi } from 'vitepress-openapi/client';
import 'vitepress-openapi/dist/style.css';
import document from '../openapi.json';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    theme.enhanceApp({ app, openapi: useOpenapi({ spec: document }) });
  },
} satisfies Theme;
