// The page: what `npm run build` has made of web/.
import type { App } from 'fw';

export function servePage(app: App): void {
  // The names of these files change with their content, so browsers keep them.
  if (process.env.NODE_ENV !== 'development') {
    app.serveStatic('/assets', 'dist/web/assets', { cacheControl: 'public, max-age=31536000, immutable' });
  }
  // Every other path is the page, which has routes of its own. Under `fw dev`, Vite answers for it.
  app.serveSpa('dist/web', 'index.html');
}
