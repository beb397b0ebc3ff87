// What the backend takes and answers.
import { z } from 'zod';

export const Username = z.string().regex(/^[a-z][a-z0-9-]{2,19}$/);

export const User = z
  .object({
    username: Username,
    email: z.email(),
    bio: z.string().nullable().describe('A few words about the user.'),
    token: z.string().describe('Send it as `Authorization: Bearer …`.'),
  })
  .meta({ id: 'User' });

export const NewUser = z
  .object({ username: Username, email: z.email(), password: z.string().min(8).max(100) })
  .meta({ id: 'NewUser' });

export const Login = z.object({ email: z.email(), password: z.string() }).meta({ id: 'Login' });

export const UserChange = z
  .object({ email: z.email().optional(), bio: z.string().max(200).nullable().optional() })
  .meta({ id: 'UserChange' });

export const Profile = z
  .object({ username: Username, bio: z.string().nullable(), following: z.boolean() })
  .meta({ id: 'Profile' });

export const Article = z
  .object({
    slug: z.string(),
    title: z.string(),
    body: z.string(),
    tags: z.array(z.string()),
    author: Profile,
    favorited: z.boolean(),
    favoritesCount: z.int().min(0),
    createdAt: z.date(),
  })
  .meta({ id: 'Article' });

export const NewArticle = z
  .object({
    title: z.string().min(1).max(80),
    body: z.string().min(1),
    tags: z.array(z.string().min(1)).max(5).default([]),
  })
  .meta({ id: 'NewArticle' });

export const ArticleChange = NewArticle.pick({ title: true, body: true })
  .partial()
  .meta({ id: 'ArticleChange' });

export const ArticlePage = z
  .object({ articles: z.array(Article), total: z.int().min(0) })
  .meta({ id: 'ArticlePage' });

export const Page = z.object({
  limit: z.coerce.number().int().min(1).max(50).default(20),
  offset: z.coerce.number().int().min(0).default(0),
});

export const Filter = Page.extend({ tag: z.string().optional(), author: Username.optional() });

export const Comment = z
  .object({ id: z.int(), text: z.string(), author: Profile, createdAt: z.date() })
  .meta({ id: 'Comment' });

export const NewComment = z.object({ text: z.string().min(1).max(1000) }).meta({ id: 'NewComment' });
