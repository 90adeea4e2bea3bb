from fastapi import APIRouter

router = APIRouter(prefix="/v1", tags=["sms"])


@router.post("/sms")
async def send_sms(text: str) -> dict:
    return {"sent": text}


@router.get("/sms/{id}")
def read_sms(id: int) -> dict:
    return cache.get("/sms")
