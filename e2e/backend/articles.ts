import { App, Context, describeRoute, FwError, Path, Query, Valid } from 'fw';
import { z } from 'zod';
import {
  Article,
  ArticleChange,
  ArticlePage,
  Comment,
  Filter,
  NewArticle,
  NewComment,
  Page,
} from './schemas.ts';
import { currentUser, viewer } from './sign-in.ts';
import type { ArticleRow, Store, UserRow } from './store.ts';

const Slug = Path('slug', z.string());
const noArticle = { 404: 'There is no such article.' };
const notYours = { 403: 'It is the article of somebody else.', ...noArticle };

const slugOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

export function articles(store: Store): App {
  const page = (
    found: readonly ArticleRow[],
    { limit, offset }: z.infer<typeof Page>,
    user: UserRow | undefined,
  ) => ({
    articles: found.slice(offset, offset + limit).map((one) => store.shown(one, user)),
    total: found.length,
  });
  const own = (slug: string, user: UserRow): ArticleRow => {
    const article = store.article(slug);
    if (article.author !== user) throw FwError.forbidden('not your article');
    return article;
  };
  const options = { tags: ['articles'] };
  return new App()
    .get(
      describeRoute('/', { ...options, operationId: 'articles.list', returns: ArticlePage }),
      Query(Filter),
      viewer(store),
      (filter, user) => {
        const { tag, author } = filter;
        const found = store.articles.filter(
          (one) =>
            (tag === undefined || one.tags.includes(tag)) &&
            (author === undefined || one.author.username === author),
        );
        return page(found, filter, user);
      },
    )
    .get(
      describeRoute('/feed', { ...options, operationId: 'articles.feed', returns: ArticlePage }),
      currentUser(store),
      Query(Page),
      (user, range) =>
        page(
          store.articles.filter((one) => user.follows.has(one.author.username)),
          range,
          user,
        ),
    )
    .get(
      describeRoute('/export', { ...options, returns: { 200: { contentType: 'text/csv; charset=utf-8' } } }),
      function exportArticles() {
        return `slug,author\n${store.articles.map((one) => `${one.slug},${one.author.username}\n`).join('')}`;
      },
    )
    .post(
      describeRoute('/', {
        ...options,
        operationId: 'articles.create',
        returns: {
          201: { body: Article, headers: { location: z.string() }, description: 'The article was created.' },
        },
        errors: { 409: 'An article of that title exists.' },
      }),
      currentUser(store),
      Valid(NewArticle),
      Context,
      (author, article, ctx) => {
        const slug = slugOf(article.title);
        if (store.articles.some((one) => one.slug === slug)) {
          throw FwError.badRequest('an article of that title exists', { status: 409 });
        }
        const row = {
          ...article,
          slug,
          author,
          fans: new Set<string>(),
          createdAt: new Date(),
          comments: [],
        };
        store.articles.push(row);
        ctx.header('Location', `/api/articles/${slug}`);
        return store.shown(row, author);
      },
    )
    .get(
      describeRoute('/:slug', {
        ...options,
        operationId: 'articles.get',
        returns: Article,
        errors: noArticle,
      }),
      Slug,
      viewer(store),
      (slug, user) => store.shown(store.article(slug), user),
    )
    .put(
      describeRoute('/:slug', {
        ...options,
        operationId: 'articles.change',
        returns: Article,
        errors: notYours,
      }),
      currentUser(store),
      Slug,
      Valid(ArticleChange),
      (user, slug, change) => store.shown(Object.assign(own(slug, user), change), user),
    )
    .delete(
      describeRoute('/:slug', {
        ...options,
        operationId: 'articles.delete',
        returns: { 204: null },
        errors: notYours,
      }),
      currentUser(store),
      Slug,
      (user, slug) => {
        store.articles.splice(store.articles.indexOf(own(slug, user)), 1);
      },
    )
    .post(
      describeRoute('/:slug/favorite', {
        ...options,
        operationId: 'articles.favorite',
        returns: Article,
        errors: noArticle,
      }),
      currentUser(store),
      Slug,
      (user, slug) => {
        const article = store.article(slug);
        article.fans.add(user.username);
        return store.shown(article, user);
      },
    )
    .delete(
      describeRoute('/:slug/favorite', {
        ...options,
        operationId: 'articles.unfavorite',
        returns: Article,
        errors: noArticle,
      }),
      currentUser(store),
      Slug,
      (user, slug) => {
        const article = store.article(slug);
        article.fans.delete(user.username);
        return store.shown(article, user);
      },
    );
}

export function comments(store: Store): App<'/api/articles/:slug/comments'> {
  const options = { tags: ['comments'] };
  return new App<'/api/articles/:slug/comments'>()
    .get(
      describeRoute('/', {
        ...options,
        operationId: 'comments.list',
        returns: z.array(Comment),
        errors: noArticle,
      }),
      Context,
      viewer(store),
      (ctx, user) =>
        store
          .article(ctx.req.param('slug'))
          .comments.map((one) => ({ ...one, author: store.profile(one.author, user) })),
    )
    .post(
      describeRoute('/', {
        ...options,
        operationId: 'comments.add',
        returns: { 201: Comment },
        errors: noArticle,
      }),
      currentUser(store),
      Context,
      Valid(NewComment),
      (user, ctx, { text }) => {
        const comment = store.addComment(store.article(ctx.req.param('slug')), user, text);
        return { ...comment, author: store.profile(user, user) };
      },
    )
    .delete(
      describeRoute('/:id', {
        ...options,
        operationId: 'comments.delete',
        returns: { 204: null },
        errors: { 403: 'It is the comment of somebody else.', 404: 'There is no such article or comment.' },
      }),
      currentUser(store),
      Path('id', z.coerce.number().int()),
      Context,
      (user, id, ctx) => {
        const found = store.article(ctx.req.param('slug')).comments;
        const comment = found.find((one) => one.id === id);
        if (comment === undefined) throw FwError.notFound(`no comment ${id}`);
        if (comment.author !== user) throw FwError.forbidden('not your comment');
        found.splice(found.indexOf(comment), 1);
      },
    );
}
