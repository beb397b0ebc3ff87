// A backend of twenty routes as a user writes it: users, profiles, articles, comments, favourites, feeds.
import { App, describeRoute } from 'fw';
import { type OpenApiSpec, openApiFromApp } from 'fw/rpc';
import { z } from 'zod';
import { articles, comments } from './articles.ts';
import { Store } from './store.ts';
import { profiles, users } from './users.ts';

export function backend(): { app: App; document: OpenApiSpec } {
  const store = new Store();
  const app = new App()
    .route('/api', users(store))
    .route('/api/profiles', profiles(store))
    .route('/api/articles', articles(store))
    .route('/api/articles/:slug/comments', comments(store))
    .get(
      describeRoute('/api/tags', {
        tags: ['articles'],
        operationId: 'tags.list',
        returns: z.array(z.string()),
      }),
      () => [...new Set(store.articles.flatMap(({ tags }) => tags))],
    );
  const document = openApiFromApp(app, {
    title: 'Articles',
    version: '1.0.0',
    description: 'Users write articles, follow each other, and comment.',
    origin: 'https://articles.example.org',
  });
  return { app, document };
}
