/**
 * Web frameworks in which the handler is mounted, which are installed beside this file and found
 * from nowhere else.
 */
export { default as express, type RequestHandler } from 'express';
export { fastify, type FastifyInstance } from 'fastify';
