// service.h: all that merels serve answers: the interface under /v1/, the files of tables under
// /db/, and the folder of the page.

#ifndef MERELS_QUERY_SERVICE_H
#define MERELS_QUERY_SERVICE_H

#include "query/args.h"
#include "serve/message.h"

struct service;

// Opens the tables of all rules that args names; args must outlive the service. Fails as any
// command does that needs tables; STATUS_BAD_INPUT if two rules would have the same address.
MERELS_CHECKED enum status merels_service_open(const struct arguments *args,
                                               struct service **service, struct error *err);

// No request may be running. NULL is allowed.
void merels_service_close(struct service *service);

// Answers a request; any number of threads. `service` is a struct service.
void merels_service_answer(void *service, const struct request *request,
                           struct response *response);

#endif
