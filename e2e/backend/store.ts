// The data of the backend, in memory.
import { FwError } from 'fw';

export interface UserRow {
  readonly username: string;
  email: string;
  bio: string | null;
  readonly password: string;
  readonly token: string;
  readonly follows: Set<string>;
}

export interface ArticleRow {
  readonly slug: string;
  title: string;
  body: string;
  readonly tags: readonly string[];
  readonly author: UserRow;
  readonly fans: Set<string>;
  readonly createdAt: Date;
  readonly comments: CommentRow[];
}

export interface CommentRow {
  readonly id: number;
  readonly text: string;
  readonly author: UserRow;
  readonly createdAt: Date;
}

export class Store {
  readonly users: UserRow[] = [];
  readonly articles: ArticleRow[] = [];
  #lastComment = 0;

  user(username: string): UserRow {
    const found = this.users.find((one) => one.username === username);
    if (found === undefined) throw FwError.notFound(`no user ${username}`);
    return found;
  }

  article(slug: string): ArticleRow {
    const found = this.articles.find((one) => one.slug === slug);
    if (found === undefined) throw FwError.notFound(`no article ${slug}`);
    return found;
  }

  addComment(article: ArticleRow, author: UserRow, text: string): CommentRow {
    const comment = { id: ++this.#lastComment, text, author, createdAt: new Date() };
    article.comments.push(comment);
    return comment;
  }

  profile(user: UserRow, viewer: UserRow | undefined) {
    return { ...user, following: viewer?.follows.has(user.username) ?? false };
  }

  /** With the whole rows of authors: their passwords must not leave. */
  shown(article: ArticleRow, viewer: UserRow | undefined) {
    return {
      ...article,
      tags: [...article.tags],
      author: this.profile(article.author, viewer),
      favorited: viewer !== undefined && article.fans.has(viewer.username),
      favoritesCount: article.fans.size,
    };
  }
}
