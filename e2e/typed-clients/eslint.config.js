// The strictest sets of typescript-eslint, all of them with types; no comment in a file can turn one of them off.
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig({
  files: ['*.ts'],
  extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
  languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  linterOptions: { noInlineConfig: true },
  rules: {
    // Named types are `export type`, and arrays `Array<T>`: what clients look like is settled.
    '@typescript-eslint/consistent-type-definitions': 'off',
    '@typescript-eslint/array-type': 'off',
  },
});
